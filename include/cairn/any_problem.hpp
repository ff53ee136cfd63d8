// Whatever can be planned and simulated: a product, of dense or of block-sparse matrices, a factorisation, or a solve
// with a triangle.
#pragma once
#include <variant>

#include "cairn/block_problem.hpp"
#include "cairn/factor_problem.hpp"
#include "cairn/problem.hpp"

namespace cairn {

using AnyProblem = std::variant<GemmProblem, FactoriseProblem, SolveProblem, BlockProblem>;

inline Int ranks_of(const AnyProblem& problem) {
  return std::visit([](const auto& p) { return p.ranks; }, problem);
}
inline ScalarType type_of(const AnyProblem& problem) {
  return std::visit([](const auto& p) { return p.type; }, problem);
}

}  // namespace cairn
