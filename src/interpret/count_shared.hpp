// What a rank receives, computes and holds where the ranks of a node share memory.
#pragma once
#include <vector>

#include "interpret/count.hpp"

namespace cairn {

/// `collective` is the schedule as the algorithm wrote it, `node_of` the node of every rank, numbered from 0.
/// `received` is as for any transport, by each collective's definition; wire words and messages are those that really
/// travel: between nodes, and in redistributions. The peak is that of callers' matrices in memory of their own, with
/// this rank's share of its node's memory.
Count count_shared(const Schedule& collective, const std::vector<int>& node_of, Int rank);
/// Of all ranks, one by one.
Totals count_all_shared(const Schedule& collective, const std::vector<int>& node_of);

}  // namespace cairn
