// Which products are worth taking from ScaLAPACK.
#pragma once
#include "scalapack/descriptor.hpp"

namespace cairn::scalapack {

/// Whether an m × n × k product on so many ranks is large enough to gain. Depends on nothing else, so that all ranks
/// decide alike, at once, and a repeated call always goes the same way.
bool worth_it(Int m, Int n, Int k, Int ranks);

/// Multiply-adds of a rank by which Cairn saves as much time as it takes to search a plan, and, once that is known for
/// some sizes, to make one ready for others.
double products_for_a_search(Int ranks);
double products_for_a_plan(Int ranks);

/// Whether all of k lies in one block of A, and of B, dealt along k as given: then ScaLAPACK, too, sends each matrix
/// once, in one piece, and there is nothing to gain.
bool one_panel(const Dealt& k_of_a, const Dealt& k_of_b, Int k);
/// The same of moving an m × n matrix.
bool worth_moving(Int m, Int n, Int ranks);

}  // namespace cairn::scalapack
