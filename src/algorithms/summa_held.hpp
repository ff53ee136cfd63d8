// SUMMA on the caller's block-cyclic matrices where they lie: of each round the pieces are gathered at once.
#pragma once
#include <array>
#include <optional>

#include "algorithms/summa.hpp"

namespace cairn {

/// SUMMA on the grid and in the cuts in which the caller holds the matrix that stays. The other two stay where they
/// lie, too, if they conform; one that does not is redistributed by itself. A round has form.b indices. Throws
/// ArgumentError if the problem has no layout of the matrix that stays or not one over a grid of two axes, or if the
/// form is for another grid.
Schedule summa_held(const GemmProblem& problem, const SummaForm& form);

/// Ranks among which the rows and the columns of the matrix that stays are cut where the caller holds it; nothing where
/// summa_held is not possible.
std::optional<std::array<Int, 2>> held_grid(const GemmProblem& problem, char stationary);

}  // namespace cairn
