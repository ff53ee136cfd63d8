// 2.5D SUMMA: copies of A and B on every layer of ranks, a share of the panels on each.
#pragma once
#include "algorithms/registry.hpp"

namespace cairn {

/// How 2.5D SUMMA runs, `summa25d 4x4x2 b=256`.
struct Summa25d {
  Int pr, pc, layers;  ///< the grid; layers is the replication factor c
  Int b;               ///< the most inner indices in a panel

  /// Panels that a layer multiplies: enough for panels of at most b and for one on every row and column of ranks.
  Int rounds(Int k) const;
};

/// 2.5D SUMMA [communication-avoiding-overlapping-2012 Algorithm 1]. Throws ArgumentError if the grid needs more than
/// problem.ranks ranks, or for more than a million panels.
Schedule summa25d(const GemmProblem& problem, const Summa25d& how);
std::string print_summa25d(const Summa25d& how);

/// From the arguments of a spelling, "4x4x2 b=256"; throws ArgumentError.
MadeAlgorithm make_summa25d(const GemmProblem& problem, std::string_view text);

}  // namespace cairn
