#include "planner/planned_schedule.hpp"

#include <limits>

#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "interpret/node_shared.hpp"
#include "interpret/node_words.hpp"
#include "interpret/replay/replay.hpp"
#include "model/problem.hpp"
#include "planner/limits.hpp"

namespace cairn {

namespace {

// The node of every rank; all on the first where nothing says otherwise.
std::vector<int> node_of(const PlannedSchedule& p) {
  std::vector<int> nodes(static_cast<std::size_t>(p.wire.ranks), 0);
  const Int size = ranks_per_node(p);
  for (std::size_t r = 0; r < nodes.size() && size > 0; ++r) nodes[r] = static_cast<int>(static_cast<Int>(r) / size);
  return nodes;
}

}  // namespace

const Totals& PlannedSchedule::totals() const {
  std::call_once(counted_, [this] {
    totals_ =
        shares_memory(*this) ? count_all_shared(collective, node_of(*this)) : count_all(collective, wire, transport);
  });
  return *totals_;
}

const Times& PlannedSchedule::times() const { return replays ? by_replay() : by_clock(); }

const Times& PlannedSchedule::by_replay() const {
  std::call_once(replayed_, [this] { of_replay_ = replay(wire, machine.by(transport), type).last; });
  return of_replay_;
}

// Of ranks that share memory, counts come with the time.
const Times& PlannedSchedule::by_clock() const {
  std::call_once(clocked_, [this] {
    const Machine carrying = machine.by(transport);
    if (!shares_memory(*this)) {
      of_clock_ = clock(wire, carrying, type);
      return;
    }
    const Forecast f = forecast_shared(collective, node_of(*this), carrying, type);
    of_clock_ = f.timing.last;
    std::call_once(counted_, [&] { totals_ = f.totals; });
  });
  return of_clock_;
}

Int PlannedSchedule::bytes() const {
  const Int own = transport == Transport::two_sided ? 0 : totals().max.peak_words * size_of(type);
  return bytes_of(collective) + bytes_of(wire) + own;
}

Int ranks_per_node(const PlannedSchedule& p) {
  return p.options.ranks_per_node > 0 ? p.options.ranks_per_node : p.machine.ranks_per_node();
}

bool shares_memory(Transport transport, Int ranks) {
  return transport == Transport::node_shared && ranks <= limits.sharing;
}
bool shares_memory(const PlannedSchedule& p) { return shares_memory(p.transport, p.wire.ranks); }

bool clocked_as_messages(const PlannedSchedule& p) {
  if (p.transport == Transport::one_sided) return p.machine.one_sided.empty();
  return p.transport == Transport::node_shared && !shares_memory(p);
}

Count count_of(const PlannedSchedule& p, Int rank) {
  if (shares_memory(p)) return count_shared(p.collective, node_of(p), rank);
  return count(p.collective, p.wire, rank, p.transport, ranks_per_node(p));
}

Count max_count(const PlannedSchedule& p) {
  Count most = p.totals().max;
  if (const auto n = node_words(p)) most.node_words = n->max;
  return most;
}

// Only where all ranks together have so many are those of each one counted.
void require_countable(const PlannedSchedule& p) {
  constexpr Int most = std::numeric_limits<Int>::max();
  if (flops(p.collective.problem) >= real(most) && p.totals().max.flops == most)
    throw ArgumentError("algorithm: a rank has more operations than a 64-bit integer counts, expected another grid");
}

std::optional<NodeWords> node_words(const PlannedSchedule& p) {
  if (shares_memory(p)) return NodeWords{p.totals().max.node_words, p.totals().mean_node_words};
  const Int size = ranks_per_node(p), ranks = p.wire.ranks;
  if (size == 0 || (p.options.ranks_per_node == 0 && ranks > limits.counted_on_nodes)) return {};
  NodeWords n;
  if (size >= ranks) return n;
  for (Int words : node_words_of_all(p.wire, size)) {
    n.max = std::max(n.max, words);
    n.mean += real(words) / real(ranks);
  }
  return n;
}

}  // namespace cairn
