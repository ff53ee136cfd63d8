// Words from other nodes, of all ranks at once.
#pragma once
#include <vector>

#include "schedule/schedule.hpp"

namespace cairn {

/// node_words of every rank: nodes hold `ranks_per_node` consecutive ranks.
std::vector<Int> node_words_of_all(const Schedule& wire, Int ranks_per_node);

}  // namespace cairn
