// What is to be multiplied: sizes, transposes, ranks, and where the caller's matrices are.
#pragma once
#include <optional>

#include "cairn/layout.hpp"
#include "cairn/types.hpp"

namespace cairn {

/// C = alpha·op(A)·op(B) + beta·C with op(A) m × k, op(B) k × n, C m × n, on `ranks` ranks.
struct GemmProblem {
  Int m = 0, n = 0, k = 0;
  Int ranks = 1;
  ScalarType type = ScalarType::float64;
  Op op_a = Op::none, op_b = Op::none;
  /// Layouts in which the caller holds A (k × m if transposed), B and C. Absent: the plan's own, returned by
  /// Plan::layout_a() and so on, which needs no redistribution.
  std::optional<Layout> a{}, b{}, c{};
};

}  // namespace cairn
