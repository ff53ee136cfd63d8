// Which products are worth taking from ScaLAPACK.
#pragma once
#include "cairn/types.hpp"

namespace cairn::scalapack {

/// Whether an m × n × k product on so many ranks is large enough to gain. Depends on nothing else, so that all ranks
/// decide alike, at once, and a repeated call always goes the same way.
bool worth_it(Int m, Int n, Int k, Int ranks);
/// The same of moving an m × n matrix.
bool worth_moving(Int m, Int n, Int ranks);

}  // namespace cairn::scalapack
