// Multiplications to test with.
#pragma once
#include "cairn/problem.hpp"

namespace cairn::testing {

struct Shape {
  Int m, n, k;
};

inline GemmProblem problem(Int m, Int n, Int k, Int ranks) {
  GemmProblem p;
  p.m = m, p.n = n, p.k = k, p.ranks = ranks;
  return p;
}

inline GemmProblem problem(Shape s, Int ranks) { return problem(s.m, s.n, s.k, ranks); }

}  // namespace cairn::testing
