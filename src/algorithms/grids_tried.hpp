// Grids, groups and widths worth a look.
#pragma once
#include "algorithms/algorithm.hpp"

namespace cairn {

/// pr × pc grids: for p ranks and for each half of that, down to the fewest, every number of rows worth a look and as
/// many columns as fit.
std::vector<std::array<Int, 2>> grids_2d(const Sought& sought);
/// The same in three dimensions.
std::vector<std::array<Int, 3>> grids_3d(const Sought& sought);

/// Groups of ranks that tile a pr × pc grid, the two nearest to √p groups: there the model of hierarchical broadcasts
/// has its minimum, whatever the machine [hsumma-2014 §4.2, Equations 10-12].
std::vector<std::array<Int, 2>> groups(Int pr, Int pc);

/// `piece` in 1, 2, … `most` parts, doubled each time, the same width once; and the width that fits, if it is less.
std::vector<Int> widths(Int piece, Int most, Int fits);

}  // namespace cairn
