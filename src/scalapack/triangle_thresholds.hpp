// Which factorisations and solves are worth taking from ScaLAPACK, as bench/triangles says.
#pragma once
#include "scalapack/descriptor.hpp"

namespace cairn::scalapack {

/// Multiply-adds of a rank, where all have as many.
double products_of_factorisation(Int order, Int ranks);
double products_of_solve(Int order, Int others, Int ranks);

/// Whether they are large enough to gain. Depends on nothing else, so that all ranks decide alike, at once.
bool worth_factorising(Int order, Int ranks);
bool worth_solving(Int order, Int others, Int ranks);

/// Whether something is gained on this grid by a factorisation of the triangle, in blocks of this size.
bool gains_by_factorising(Uplo triangle, Int order, Int block, const ProcessGrid& grid);
/// Whether more is gained where the matrix is brought to the layout of the best algorithm, and back.
bool gains_elsewhere(Int order, Int block);
/// Size of the blocks there, and share of the time that is saved, about.
inline constexpr Int usual_block = 64;
inline constexpr double saved_elsewhere = 0.3;
/// The same of a solve whose blocks fit each other; of A as it is stored, or transposed.
bool gains_by_solving(Side side, bool as_stored, Int order, Int others, Int block, const ProcessGrid& grid);

/// Multiply-adds of a rank by which Cairn saves as much time as it takes to plan so many panels, if it saves that
/// share.
double products_for_panels(Int panels, Int ranks, double saved = 0.1);

}  // namespace cairn::scalapack
