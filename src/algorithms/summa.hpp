// SUMMA: panels of the smaller matrices travel, the largest matrix stays where it is.
#pragma once
#include <string>
#include <string_view>

#include "cairn/problem.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

/// How SUMMA runs, `summa 4x4 b=256 stationary=a cyclic`; `held` instead of `cyclic`: summa_held.hpp.
struct SummaForm {
  Int pr, pc;             ///< rows and columns of the grid
  Int b;                  ///< width of a panel, and of the blocks dealt if cyclic
  char stationary = 'c';  ///< the matrix that stays: 'a', 'b' or 'c'
  bool cyclic = false;    ///< matrices dealt in blocks as ScaLAPACK does, not cut into one piece a rank
  bool held = false;      ///< on the caller's grid and cuts; b is then the width of a round
};
std::string print_summa(const SummaForm& form);
/// The words after `summa`. Throws ArgumentError for others than these.
SummaForm parse_summa(std::string_view arguments);
/// The form that makes as many rounds of another problem.
SummaForm summa_alike(SummaForm form, Int rounds, const GemmProblem& problem);

/// SUMMA [vandegeijn-watts-1997]. Throws ArgumentError if the grid needs more than problem.ranks ranks, or for more
/// than a million panels.
Schedule summa(const GemmProblem& problem, const SummaForm& form);

}  // namespace cairn
