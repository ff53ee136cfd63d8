#include "runtime/prepared_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cairn/error.hpp"
#include "interpret/node_shared.hpp"
#include "program/relabel.hpp"
#include "runtime/shared/node_shared.hpp"
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

PreparedSchedule::PreparedSchedule(const Comm& comm, Wanted wanted)
    : comm_(comm), wanted_(std::move(wanted)), nodes_(nodes_of(comm, wanted_.ranks_per_node)) {
  if (!wanted_.wire.dense()) throw RuntimeError("only schedules of dense matrices can be carried out");
  if (wanted_.transport == Transport::node_shared) obstacle_ = node_shared();
  if (wanted_.transport == Transport::one_sided) obstacle_ = one_sided();
  if (transport_ == Transport::two_sided)
    arena_ = Arena::plain(comm, place_buffers(wanted_.wire, position()).words * size_of(wanted_.scalar));
  if (!shared_) count_ = counted_by_messages();
}

std::string PreparedSchedule::node_shared() {
  shared_ = std::make_unique<SharedArrays>(comm_, wanted_.collective, wanted_.scalar, wanted_.ranks_per_node);
  count_ = count_shared(wanted_.collective, nodes_.of, comm_.rank());
  shared_->require(count_.peak_words, wanted_.memory_words);
  std::string obstacle = shared_->obstacle();
  if (obstacle.empty())
    transport_ = Transport::node_shared;
  else
    shared_.reset();
  return obstacle;
}

std::string PreparedSchedule::one_sided() {
  if (const std::string& trouble = one_sided_trouble(comm_); !trouble.empty()) return trouble;
  const Schedule& wire = wanted_.wire;
  const Program program = compiled(std::vector<Int>(wire.slots.size(), 0), Transport::one_sided);
  try {
    comm_.agree(too_much_for_one_sided(program, wire.steps.size()));
    arena_ = Arena::window(comm_, program.placement.words * size_of(wanted_.scalar));
  } catch (const Error& e) {
    return e.what();
  }
  transport_ = Transport::one_sided;
  places_ = exchange_places(comm_, program);
  return {};
}

Count PreparedSchedule::counted_by_messages() const {
  Count n = cairn::count(wanted_.collective, wanted_.wire, position(), transport_);
  n.node_words = node_words(wanted_.wire, position(), [&](Int peer) {
    return !nodes_.same(static_cast<int>(wanted_.labels.rank(peer)), comm_.rank());
  });
  return n;
}

bool PreparedSchedule::prepare(const std::vector<Int>& leading, const std::vector<bool>& mine) {
  if (shared_) {
    std::optional<Program> other = shared_->prepare(leading, mine);
    if (other) program_ = std::move(*other);
    return other.has_value();
  }
  if (leading_ == leading) return false;
  program_ = compiled(leading, transport_);
  leading_ = leading;
  return true;
}

Program PreparedSchedule::compiled(const std::vector<Int>& leading, Transport transport) const {
  Program p = compile(wanted_.wire, position(), leading, transport);
  relabel(p, wanted_.labels);
  return p;
}

std::unique_ptr<TwoSided> PreparedSchedule::wire(const Program& program) const {
  const ScalarType scalar = wanted_.scalar;
  switch (transport_) {
    case Transport::node_shared: return std::make_unique<NodeShared>(comm_, nodes_, program, scalar, shared_->memory());
    case Transport::one_sided:
      return std::make_unique<OneSided>(comm_, nodes_, program, scalar, arena_.window(), places_);
    case Transport::two_sided: break;
  }
  return std::make_unique<TwoSided>(comm_, nodes_, program, scalar);
}

}  // namespace cairn
