#include "schedule/ahead.hpp"

#include <gtest/gtest.h>

#include <set>

#include "algorithms/registry.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {
namespace {

Schedule wire(const char* algorithm, int depth) {
  GemmProblem p;
  p.m = p.n = p.k = 64, p.ranks = 16;
  return expand_collectives(look_ahead(make_algorithm(p, algorithm).schedule, depth));
}

std::set<int> depths(const Schedule& s) {
  const std::vector<int> all = ahead(s);
  return {all.begin(), all.end()};
}

TEST(Ahead, WithoutLookAheadNothingIs) {
  for (const char* algorithm : {"summa 4x4 b=16", "cannon 4x4", "hsumma 4x4 groups=2x2 M=16 b=8", "cosma pm4,pn4,sk4",
                                "summa25d 2x2x4 b=8", "agarwal3d 2x2x4", "summa 4x4 b=16 stationary=a"})
    EXPECT_EQ(depths(wire(algorithm, 0)), (std::set<int>{0})) << algorithm;
}

TEST(Ahead, PanelsAreSoManyProductsAheadAsLookAheadMovesThem) {
  for (int depth : {1, 2, 3}) {
    const Schedule s = wire("summa 4x4 b=16", depth);
    std::set<int> expected;
    for (int d = 0; d <= depth; ++d) expected.insert(d);
    EXPECT_EQ(depths(s), expected);
    EXPECT_EQ(ahead(s).back(), 0);  // a product
  }
}

// Inner panels hold up nothing, outer ones hold up the inner ones.
TEST(Ahead, WhatIsBroadcastAgainIsNot) {
  const Schedule s = wire("hsumma 4x4 groups=2x2 M=16 b=16", 1);
  const std::vector<int> all = ahead(s);
  std::set<Slot> multiplied;
  for (const LabelledStep& l : s.steps)
    if (const auto* g = std::get_if<Compute>(&l.step)) multiplied.insert({s.storage(g->A), s.storage(g->B)});
  std::set<int> outer, inner;
  for (std::size_t t = 0; t < s.steps.size(); ++t)
    if (const auto* x = std::get_if<Shift>(&s.steps[t].step))
      (multiplied.contains(s.storage(x->dst)) ? inner : outer).insert(all[t]);
  EXPECT_EQ(outer, (std::set<int>{0}));
  EXPECT_EQ(inner, (std::set<int>{0, 1}));
}

TEST(Ahead, WhatNobodyPassesOnIsNot) {
  for (const char* algorithm : {"cannon 4x4", "cannon 2x8", "cosma pm4,pn4,sk4"})
    EXPECT_EQ(depths(wire(algorithm, 1)), (std::set<int>{0})) << algorithm;
}

// Of a later round; the panels of one product leave together.
TEST(Ahead, DirectGathersLeaveWithTheProductThatTheyWereMovedBefore) {
  for (const char* algorithm : {"cosma pm4,pn4,sk4", "agarwal3d 2x2x4", "cosma pm4,pn2,pk2,sn4"})
    EXPECT_EQ(leaves_with(wire(algorithm, 0)), std::vector<std::size_t>(wire(algorithm, 0).steps.size(), 0))
        << algorithm;
  const Schedule s = wire("cosma pm4,pn4,sk4", 1);
  const std::vector<std::size_t> all = leaves_with(s);
  int rounds = 0;
  for (std::size_t t = 0; t < s.steps.size(); ++t) {
    if (all[t] == 0) continue;
    const auto* gather = std::get_if<AllGather>(&s.steps[t].step);
    const auto* product = std::get_if<Compute>(&s.steps[all[t]].step);
    ASSERT_TRUE(gather && product && all[t] > t);
    EXPECT_NE(product->A, gather->dst);
    EXPECT_NE(product->B, gather->dst);
    ++rounds;
  }
  EXPECT_EQ(rounds, 2 * 3);  // A's and B's of all rounds but the first
}

TEST(Ahead, SumsAreNot) {
  const Schedule s = wire("summa 4x4 b=16 stationary=a", 1);
  const std::vector<int> all = ahead(s);
  int seen = 0;
  for (std::size_t t = 0; t < s.steps.size(); ++t) {
    if (const auto* x = std::get_if<Shift>(&s.steps[t].step); x && all[t] > 0) {
      EXPECT_EQ(s[x->dst].name.substr(0, 1), "B");
      ++seen;
    }
  }
  EXPECT_GT(seen, 0);
}

}  // namespace
}  // namespace cairn
