// What ranks receive, compute and hold, and how long they take, where the ranks of a node share memory: all of it
// follows from the programs that they carry out. `collective` is the schedule as the algorithm wrote it, `node_of` the
// node of every rank, numbered from 0.
#pragma once
#include <vector>

#include "interpret/clock.hpp"
#include "interpret/count.hpp"

namespace cairn {

/// `received` is as for any transport, by each collective's definition; wire words and messages are those that really
/// travel: between nodes, and in redistributions. The peak is that of callers' matrices in memory of their own, with
/// this rank's share of its node's memory.
Count count_shared(const Schedule& collective, const std::vector<int>& node_of, Int rank);
/// Of all ranks, one by one.
Totals count_all_shared(const Schedule& collective, const std::vector<int>& node_of);

struct Forecast {
  Totals totals;
  Timing timing;
};
/// Counted as above, and replayed on a machine that says what sharing costs (Machine::shared; nothing if it does not),
/// in matrices of the caller's own memory: what others are to read of them is copied once.
Forecast forecast_shared(const Schedule& collective, const std::vector<int>& node_of, const Machine& machine,
                         ScalarType type);

}  // namespace cairn
