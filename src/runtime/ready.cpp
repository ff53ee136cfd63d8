#include "runtime/ready.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cairn/error.hpp"
#include "program/relabel.hpp"
#include "runtime/transport/one_sided.hpp"
#include "runtime/transport/self_test.hpp"

namespace cairn {

std::optional<std::string> too_much_for_one_sided(const Program& program, std::size_t steps) {
  constexpr Int most = std::numeric_limits<int>::max();
  const auto long_ones = [](const std::vector<Message>& messages) {
    return std::any_of(messages.begin(), messages.end(), [](const Message& m) { return m.words > most; });
  };
  for (const Operation& op : program.operations) {
    const auto* e = std::get_if<Exchange>(&op.what);
    const auto* x = std::get_if<SumExchange>(&op.what);
    if ((e && long_ones(e->receives)) || (x && long_ones(x->sends)))
      return fmt::format("a message of more than {} words, which one-sided transport does not cut", most);
  }
  if (!has_tags_for(steps)) return fmt::format("{} steps, for which this MPI library has too few tags", steps);
  return {};
}

Ready::Ready(const Comm& comm, const Schedule& schedule, ScalarType scalar, Transport wanted, Int ranks_per_node,
             Labels labels)
    : comm_(comm),
      schedule_(schedule),
      labels_(std::move(labels)),
      nodes_(nodes_of(comm, ranks_per_node)),
      scalar_(scalar) {
  if (wanted == Transport::one_sided) obstacle_ = one_sided();
  if (transport_ == Transport::two_sided)
    arena_ = Arena::plain(comm, place_buffers(schedule, position()).words * size_of(scalar));
}

Program Ready::program(const std::vector<Int>& leading) const { return program(leading, transport_); }

Program Ready::program(const std::vector<Int>& leading, Transport transport) const {
  Program p = compile(schedule_, position(), leading, transport);
  relabel(p, labels_);
  return p;
}

std::string Ready::one_sided() {
  if (const std::string& trouble = one_sided_trouble(comm_); !trouble.empty()) return trouble;
  const Program program = this->program(std::vector<Int>(schedule_.slots.size(), 0), Transport::one_sided);
  try {
    comm_.agree(too_much_for_one_sided(program, schedule_.steps.size()));
    arena_ = Arena::window(comm_, program.placement.words * size_of(scalar_));
  } catch (const Error& e) {
    return e.what();
  }
  transport_ = Transport::one_sided;
  places_ = exchange_places(comm_, program);
  return {};
}

std::unique_ptr<TwoSided> Ready::wire(const Program& program) const {
  if (transport_ == Transport::one_sided)
    return std::make_unique<OneSided>(comm_, nodes_, program, scalar_, arena_.window(), places_);
  return std::make_unique<TwoSided>(comm_, nodes_, program, scalar_);
}

}  // namespace cairn
