// What is to be factorised or solved: sizes, which triangle, ranks, and where the caller's matrices are.
#pragma once
#include <optional>

#include "cairn/layout.hpp"
#include "cairn/types.hpp"

namespace cairn {

/// A = L·Lᴴ (lower) or Uᴴ·U (upper), n × n, on `ranks` ranks: L or U takes A's place.
struct FactoriseProblem {
  Int n = 0;
  Uplo triangle = Uplo::lower;
  Int ranks = 1;
  ScalarType type = ScalarType::float64;
  /// The layout in which the caller holds A. Absent: the plan's own, which needs no redistribution.
  std::optional<Layout> a{};
};

/// op(A)·X = alpha·B (left) or X·op(A) = alpha·B (right) with B m × n, on `ranks` ranks: X takes B's place.
struct SolveProblem {
  Int m = 0, n = 0;
  Side side = Side::left;
  Uplo triangle = Uplo::lower;
  Op op = Op::none;
  Diag diag = Diag::stored;
  Int ranks = 1;
  ScalarType type = ScalarType::float64;
  /// Layouts in which the caller holds A and B, as above.
  std::optional<Layout> a{}, b{};
  Int order() const { return side == Side::left ? m : n; }
};

}  // namespace cairn
