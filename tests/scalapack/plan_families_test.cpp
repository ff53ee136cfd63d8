#include "scalapack/plan_families.hpp"

#include <gtest/gtest.h>

#include "scalapack/thresholds.hpp"

namespace cairn::scalapack {
namespace {

GemmProblem in_blocks(Int m, Int n, Int k) {
  constexpr Int b = 32, pr = 2, pc = 2;
  GemmProblem p;
  p.m = m, p.n = n, p.k = k, p.ranks = pr * pc;
  p.a = Layout::block_cyclic(m, k, {b, b, pr, pc});
  p.b = Layout::block_cyclic(k, n, {b, b, pr, pc});
  p.c = Layout::block_cyclic(m, n, {b, b, pr, pc});
  return p;
}

TEST(PlanFamilies, ALargeProductPaysAtOnce) {
  PlanFamilies families;
  EXPECT_TRUE(families.pays("f", "kind", products_for_a_search(4), 4));
  EXPECT_FALSE(families.pays("g", "other", 0.99 * products_for_a_search(4), 4));
}

TEST(PlanFamilies, WhereNothingIsSearchedAKindCountsAlone) {
  PlanFamilies families;
  EXPECT_FALSE(families.pays("kind", 1, 2.5));
  EXPECT_FALSE(families.pays("other", 2, 2.5));
  EXPECT_FALSE(families.pays("kind", 1, 2.5));
  EXPECT_TRUE(families.pays("kind", 1, 2.5));
}

TEST(PlanFamilies, AKindPaysOnceItWasSeenOftenEnough) {
  PlanFamilies families;
  const double each = products_for_a_search(4) / 4.5;
  for (int call = 1; call <= 4; ++call) EXPECT_FALSE(families.pays("f", "kind", each, 4));
  EXPECT_TRUE(families.pays("f", "kind", each, 4));
}

// As in pdgetri: every call is of another kind.
TEST(PlanFamilies, ASearchPaysByWhatAllCallsOfItsFamilyCouldGain) {
  constexpr Int ranks = 1024;
  PlanFamilies families;
  const double each = products_for_a_search(ranks) / 4.5;
  ASSERT_GE(each, products_for_a_plan(ranks));
  for (int call = 1; call <= 4; ++call) EXPECT_FALSE(families.pays("f", std::to_string(call), each, ranks));
  EXPECT_TRUE(families.pays("f", "5", each, ranks));
}

TEST(PlanFamilies, OnceAFamilyHasAPlanOnlyMakingItReadyMustPay) {
  PlanFamilies families;
  EXPECT_FALSE(families.pays("f", "kind", products_for_a_plan(4), 4));
  const Plan first = families.plan("f", in_blocks(640, 640, 640), {});
  EXPECT_TRUE(families.pays("f", "other", products_for_a_plan(4), 4));
  EXPECT_FALSE(families.pays("f", "third", 0.99 * products_for_a_plan(4), 4));
  EXPECT_FALSE(families.pays("g", "fourth", products_for_a_plan(4), 4)) << "another family";
}

TEST(PlanFamilies, OthersOfAFamilyArePlannedAsItsFirst) {
  PlanFamilies families;
  families.plan("f", in_blocks(640, 640, 640), {.algorithm = "summa 2x2 b=160 held"});
  EXPECT_EQ(families.plan("f", in_blocks(640, 640, 320), {}).algorithm(), "summa 2x2 b=80 held");
  EXPECT_EQ(families.plan("g", in_blocks(640, 640, 320), {.algorithm = "cannon 2x2"}).algorithm(), "cannon 2x2");
}

TEST(PlanFamilies, WhatCannotBePlannedAsTheFirstIsSearched) {
  PlanFamilies families;
  families.plan("f", in_blocks(640, 640, 640), {.algorithm = "summa 2x2 b=160 held"});
  GemmProblem p = in_blocks(640, 640, 320);
  p.a = p.b = p.c = Layout::row_blocks(640, 320, 4);
  p.b = Layout::row_blocks(320, 640, 4), p.c = Layout::row_blocks(640, 640, 4);
  EXPECT_EQ(families.plan("f", p, {.algorithm = "cannon 2x2"}).algorithm(), "cannon 2x2");
}

}  // namespace
}  // namespace cairn::scalapack
