// How evenly indices are dealt to the ranks along an axis.
#pragma once
#include "cairn/layout.hpp"

namespace cairn {

/// Whether indices are dealt in turn to all ranks along an axis, in blocks of any size and from any of them on, so that
/// none has over an eighth more of them than in blocks of `block`.
bool dealt_about_evenly(const Dim& dim, const Grid& grid, int axis, Int block);

}  // namespace cairn
