// How many blocks each part of a grid gets where they are dealt over it.
#pragma once
#include <array>
#include <vector>

#include "cairn/types.hpp"

namespace cairn {

/// The order in which blocks are dealt to the lcm(pr, pc) panels of the inner dimension that the rows and the columns
/// of a grid share: after any number of blocks the rows have about as many of them each, and so have the columns.
std::vector<Int> panel_order(Int pr, Int pc);

/// Of so many block rows or columns, those that BlockDistribution::dealt gives to each of `parts` rows or columns of a
/// grid; with as many parts as panels, to each panel.
std::vector<Int> dealt_blocks(Int blocks, Int parts, const std::vector<Int>& order);

/// Rows and columns of a grid of all ranks, as square as possible, not more rows than columns.
std::array<Int, 2> squarest_grid(Int ranks);

}  // namespace cairn
