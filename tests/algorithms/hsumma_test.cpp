// HSUMMA beside SUMMA, and what it refuses.
#include "algorithms/hsumma.hpp"

#include <gtest/gtest.h>

#include "algorithms/summa.hpp"
#include "cairn/error.hpp"
#include "cases.hpp"
#include "interpret/count.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {
namespace {

GemmProblem problem(Int m, Int n, Int k, Int ranks) {
  GemmProblem p;
  p.m = m, p.n = n, p.k = k, p.ranks = ranks;
  return p;
}

TEST(Hsumma, ReceivesWhatSummaReceives) {
  const GemmProblem p = problem(48, 144, 144, 24);
  for (bool cyclic : {false, true})
    for (auto [gr, gc] : {std::pair<Int, Int>{1, 1}, {2, 3}, {4, 1}, {1, 2}, {4, 6}}) {
      const Schedule s = hsumma(p, {4, 6, gr, gc, 12, 4, cyclic}), wire = expand_collectives(s);
      for (Int r = 0; r < p.ranks; ++r)
        EXPECT_EQ(count(s, wire, r).received, 48 * 144 / 4 * 5 / 6 + 144 * 144 / 6 * 3 / 4) << s.algorithm;
    }
}

TEST(Hsumma, OneGroupOrAllOfThemIsSumma) {
  for (testing::Shape x : testing::shapes)
    for (auto [gr, gc] : {std::pair<Int, Int>{1, 1}, {2, 3}}) {
      const GemmProblem p = problem(x.m, x.n, x.k, 7);
      for (bool cyclic : {false, true}) {
        const Schedule two = hsumma(p, {2, 3, gr, gc, 4, 4, cyclic}), one = summa(p, {2, 3, 4, 'c', cyclic});
        const Schedule wire_two = expand_collectives(two), wire_one = expand_collectives(one);
        for (Int r = 0; r < p.ranks; ++r)
          EXPECT_EQ(count(two, wire_two, r), count(one, wire_one, r)) << two.algorithm << " rank " << r;
      }
    }
}

TEST(Hsumma, BroadcastsAreThoseOfEquation3) {
  const Int k = 960, M = 48, b = 8;
  const Schedule s = hsumma(problem(64, 64, k, 16), {4, 4, 2, 2, M, b});
  Int between = 0, inside = 0;
  for (const LabelledStep& l : s.steps)
    if (const auto* x = std::get_if<Bcast>(&l.step)) ++(s.grid.name(x->axis) < "a" ? between : inside);
  EXPECT_EQ(between, 2 * k / M);
  EXPECT_EQ(inside, 2 * k / b);
}

TEST(Hsumma, RefusesGroupsThatDoNotTileAndInnerPanelsWiderThanOuterOnes) {
  const auto refusal = [](const std::string& spelling) -> std::string {
    try {
      make_algorithm(problem(100, 100, 100, 16), spelling);
    } catch (const ArgumentError& e) {
      return e.what();
    }
    return "accepted";
  };
  for (auto [spelling, word] : std::initializer_list<std::pair<const char*, const char*>>{
           {"hsumma 4x4 groups=3x2 M=8 b=4", "groups=3x2 do not tile a grid of 4x4"},
           {"hsumma 4x4 groups=2x8 M=8 b=4", "groups=2x8 do not tile"},
           {"hsumma 4x4 groups=2x2 M=8 b=9", "b=9 do not fit into outer ones of M=8"},
           {"hsumma 4x4 groups=2x2 M=8", "b="},
           {"hsumma 4x4 groups=2x2 b=8", "M="},
           {"hsumma 4x4 M=8 b=4", "groups="},
           {"hsumma 4x4 groups=2 M=8 b=4", "groups=2"},
           {"hsumma 4x4 groups=2x2 M=8 b=4 stationary=a", "stationary=a"}}) {
    const std::string why = refusal(spelling);
    EXPECT_NE(why.find(word), why.npos) << spelling << ": " << why;
    EXPECT_NE(why.find("as in hsumma 8x8 groups=2x2 M=256 b=64"), why.npos) << spelling << ": " << why;
  }
  EXPECT_EQ(refusal("hsumma 4x5 groups=1x1 M=8 b=4"),
            "hsumma 4x5 groups=1x1 M=8 b=4: the grid needs 20 ranks, expected at most 16");
}

}  // namespace
}  // namespace cairn
