// What algorithms receive and hold that spread A, B and C evenly over all ranks.
#pragma once
#include "algorithms/grids_tried.hpp"

namespace cairn {

/// m, n, k cut into so many parts among ranks and, one after another, into `rounds` of panels of `width` of the
/// dimension `loop`. Ranks that need a panel share it along that dimension, or along k, and C along rows where rounds
/// cut these. Received by ranks with coordinates (i, j, l), for even pieces:
///   mk/(pm pk)·(1-1/pn) + kn/(pk pn)·(1-1/pm) + mn/(pm pn)·(1-1/pk)
Outline spread_evenly(const Sought& sought, const std::array<Int, 3>& parts, char loop, Int rounds, Int width);

/// The same on a pr × pc × layers grid, of which the first layer holds A and B at first and C in the end: they are
/// copied to the others, which add their terms of C.
Outline in_layers(const Sought& sought, const std::array<Int, 3>& grid, Int rounds, Int width);
/// One layer, with panels of at most b that have one owner each.
Outline in_panels(const Sought& sought, const std::array<Int, 3>& parts, char loop, Int b);

/// The widest panels with which that fits into the memory, at least 1; any width where memory is not limited.
Int width_that_fits(const Sought& sought, const std::array<Int, 3>& parts, char loop);

}  // namespace cairn
