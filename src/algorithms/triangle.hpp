// Cholesky factorisation in triangle blocks: its form, and its schedule.
#pragma once
#include <string>

#include "cairn/factor_problem.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

/// `triangle 7 b=64`, in layers `triangle 31x2 b=64`.
struct TriangleForm {
  Int ranks, layers;  ///< ranks of a layer
  Int b;              ///< order of a block
};
std::string print_triangle(const TriangleForm& form);

/// Throws ArgumentError if the form needs more than problem.ranks ranks, or for more than a million panels.
Schedule triangle(const FactoriseProblem& problem, const TriangleForm& form);

}  // namespace cairn
