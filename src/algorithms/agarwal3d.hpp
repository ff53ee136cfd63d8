// The 3D algorithm: a cube of ranks, one product each.
#pragma once
#include "algorithms/registry.hpp"

namespace cairn {

/// m cut among pm ranks, n among pn, k among pk; each matrix starts or ends on a face of that grid. Throws
/// ArgumentError if the grid needs more than problem.ranks ranks. [dekel-nassimi-sahni-1981; agarwal-1995]
Schedule agarwal3d(const GemmProblem& problem, Int pm, Int pn, Int pk);
std::string print_agarwal3d(Int pm, Int pn, Int pk);

/// From the arguments of a spelling, "2x3x2"; throws ArgumentError.
MadeAlgorithm make_agarwal3d(const GemmProblem& problem, std::string_view text);

}  // namespace cairn
