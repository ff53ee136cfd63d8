// Which rank should hold which part of a matrix that changes its layout, where that is free.
#pragma once
#include "cairn/layout.hpp"

namespace cairn {

/// `b` with its parts on those of `ranks` ranks on which the fewest words of op(A), held in layout `a`, must be moved
/// [costa-2021]: an assignment of parts to ranks, of all best ones one that leaves most parts where they are.
/// Cost: ranks × parts, and the assignment.
Layout least_moved(Op op, const Layout& a, const Layout& b, Int ranks);

}  // namespace cairn
