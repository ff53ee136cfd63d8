// HSUMMA: SUMMA in two levels, between groups of ranks and inside them.
#pragma once
#include <string>

#include "cairn/problem.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

/// How HSUMMA runs, `hsumma 8x8 groups=2x2 M=256 b=64 cyclic`.
struct HsummaForm {
  Int pr, pc;           ///< rows and columns of the grid of ranks
  Int gr, gc;           ///< rows and columns of the grid of groups (the paper's I × J)
  Int M, b;             ///< width of a panel between groups, and inside them
  bool cyclic = false;  ///< matrices dealt in blocks of M, not cut into one piece a rank
};
std::string print_hsumma(const HsummaForm& form);

/// HSUMMA [hsumma-2014 Algorithm 1]. Throws ArgumentError unless gr divides pr and gc divides pc, b is at most M, the
/// grid needs at most problem.ranks ranks, and there are at most a million panels.
Schedule hsumma(const GemmProblem& problem, const HsummaForm& form);

}  // namespace cairn
