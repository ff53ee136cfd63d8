// How many blocks each part of a grid gets where they are dealt over it.
#pragma once
#include <array>
#include <vector>

#include "cairn/types.hpp"

namespace cairn {

/// Of so many block rows or columns, those that BlockDistribution::dealt gives to each of `parts` rows or columns of a
/// grid whose rows and columns share V panels of an inner dimension; with parts = V, to each panel. V is a multiple of
/// parts.
std::vector<Int> dealt_blocks(Int blocks, Int parts, Int V);

/// Rows and columns of a grid of all ranks, as square as possible, not more rows than columns.
std::array<Int, 2> squarest_grid(Int ranks);

}  // namespace cairn
