// What holds for every schedule of a multiplication, however it was made.
#pragma once
#include <gtest/gtest.h>

#include "cases.hpp"
#include "interpret/check.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn::testing {

inline void expect_passes_the_checker(const Schedule& s) {
  ASSERT_NO_THROW(check(s));
  ASSERT_NO_THROW(check(expand_collectives(look_ahead(s, 1))));
}

/// Exactly 2·op(A)·op(B) - C of integers, on virtual ranks, also with collectives expanded and panels that travel
/// early.
inline void expect_computes_the_product(const GemmProblem& p, const Schedule& s) {
  const Dense A = integers(p.m, p.k, 1), B = integers(p.k, p.n, 2), C = integers(p.m, p.n, 3);
  const Dense want = product(A, B, C, 2, -1);
  ASSERT_EQ(reference(s, A, B, C, 2, -1).x, want.x);
  for (int depth : {1, 2}) ASSERT_EQ(reference(expand_collectives(look_ahead(s, depth)), A, B, C, 2, -1).x, want.x);
}

}  // namespace cairn::testing
