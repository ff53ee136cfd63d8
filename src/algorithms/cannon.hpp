// Cannon's algorithm and its 2.5D version.
#pragma once
#include "algorithms/registry.hpp"

namespace cairn {

/// Ranks in pr rows, pc columns and `layers` layers, each with a copy of A and B; layers divides lcm(pr, pc).
/// Throws ArgumentError for other numbers of layers and if the grid needs more than problem.ranks ranks. [cannon-1969;
/// solomonik-demmel-2011; communication-avoiding-overlapping-2012 §V; dbcsr-25d-rma-2017 §2]
Schedule cannon(const GemmProblem& problem, Int pr, Int pc, Int layers);
std::string print_cannon(Int pr, Int pc, Int layers);

/// From the arguments of a spelling, "4x4x2", or "4x4" for one layer; throws ArgumentError.
MadeAlgorithm make_cannon(const GemmProblem& problem, std::string_view text);

}  // namespace cairn
