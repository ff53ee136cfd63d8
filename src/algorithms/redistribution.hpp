// A matrix changes its layout.
#pragma once
#include "cairn/layout.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

/// B = alpha·op(A) + beta·B on `ranks` ranks, A and B in any two layouts. Each rank receives the elements of B that it
/// does not hold of A, in one message from each rank that has some:  received: words(B) - words(both)
Schedule redistribution(Op op, const Layout& a, const Layout& b, Int ranks);

}  // namespace cairn
