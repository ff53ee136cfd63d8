// SUMMA: panels of the smaller matrices travel, the largest matrix stays where it is.
#pragma once
#include <array>
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

  /// Of m, n, k among ranks.
  std::array<Int, 3> parts() const {
    if (stationary == 'a') return {pr, 1, pc};
    if (stationary == 'b') return {1, pc, pr};
    return {pr, pc, 1};
  }
  /// The dimension that panels cut, and how long it is.
  char loop() const { return stationary == 'a' ? 'n' : stationary == 'b' ? 'm' : 'k'; }
  template <class Sizes>
  Int inner(const Sizes& all) const {
    return stationary == 'a' ? all.n : stationary == 'b' ? all.m : all.k;
  }
};
std::string print_summa(const SummaForm& form);
/// The words after `summa`. Throws ArgumentError for others than these.
SummaForm parse_summa(std::string_view arguments);

/// SUMMA [vandegeijn-watts-1997]. Throws ArgumentError if the grid needs more than problem.ranks ranks, or for more
/// than a million panels.
Schedule summa(const GemmProblem& problem, const SummaForm& form);

}  // namespace cairn
