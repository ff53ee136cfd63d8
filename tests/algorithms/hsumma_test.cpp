// HSUMMA beside SUMMA, and what it refuses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "algorithms.hpp"
#include "algorithms/summa.hpp"
#include "cases.hpp"
#include "interpret/clock.hpp"

namespace cairn {
namespace {

using testing::expect_received;
using testing::expect_refusals;
using testing::made;
using testing::problem;
using testing::refusal_of;

Schedule hsumma(const GemmProblem& p, Int pr, Int pc, Int gr, Int gc, Int M, Int b, bool cyclic = false) {
  return made(p, "hsumma", {pr, pc}, fmt::format(" groups={}x{} M={} b={}{}", gr, gc, M, b, cyclic ? " cyclic" : ""));
}

TEST(Hsumma, ReceivesWhatSummaReceives) {
  const GemmProblem p = problem(48, 144, 144, 24);
  for (bool cyclic : {false, true})
    for (auto [gr, gc] : {std::pair<Int, Int>{1, 1}, {2, 3}, {4, 1}, {1, 2}, {4, 6}}) {
      constexpr Int words = 48 * 144 / 4 * 5 / 6 + 144 * 144 / 6 * 3 / 4;
      expect_received(hsumma(p, 4, 6, gr, gc, 12, 4, cyclic), [](Int) { return words; });
    }
}

TEST(Hsumma, OneGroupOrAllOfThemIsSumma) {
  for (testing::Shape x : testing::shapes)
    for (auto [gr, gc] : {std::pair<Int, Int>{1, 1}, {2, 3}}) {
      const GemmProblem p = problem(x.m, x.n, x.k, 7);
      for (bool cyclic : {false, true}) {
        const Schedule two = hsumma(p, 2, 3, gr, gc, 4, 4, cyclic), one = summa(p, {2, 3, 4, 'c', cyclic});
        const Schedule wire_two = expand_collectives(two), wire_one = expand_collectives(one);
        for (Int r = 0; r < p.ranks; ++r)
          EXPECT_EQ(count(two, wire_two, r), count(one, wire_one, r)) << two.algorithm << " rank " << r;
      }
    }
}

TEST(Hsumma, BroadcastsAreThoseOfEquation3) {
  const Int k = 960, M = 48, b = 8;
  const Schedule s = hsumma(problem(64, 64, k, 16), 4, 4, 2, 2, M, b);
  Int between = 0, inside = 0;
  for (const LabelledStep& l : s.steps)
    if (const auto* x = std::get_if<Bcast>(&l.step)) ++(s.grid.name(x->axis) < "a" ? between : inside);
  EXPECT_EQ(between, 2 * k / M);
  EXPECT_EQ(inside, 2 * k / b);
}

// Hockney's model, as in §4: alpha seconds a message, one second a word, products free. All broadcasts by scatter and
// allgather; q × q ranks in g × g groups.
double seconds(Int n, Int q, Int g, Int M, Int b, double alpha) {
  Schedule s = hsumma(problem(n, n, n, q * q), q, q, g, g, M, b);
  for (LabelledStep& l : s.steps)
    if (auto* x = std::get_if<Bcast>(&l.step)) x->how = {Way::scatter_allgather};
  Machine hockney;
  hockney.levels = {{"network", 0, alpha, 1.0 / 8}};
  hockney.gemm.flops_per_second.fill(1e30);
  return clock(expand_collectives(s), hockney, ScalarType::float64, Ports::in_turn).seconds;
}

TEST(Hsumma, TakesTheTimeOfSection42) {
  const double n = 256, q = 16, p = q * q, alpha = 100, b = 8;
  for (double g : {1, 2, 4, 8, 16})
    for (double M : {8, 16}) {
      const double inner = (std::log2(p / (g * g)) + 2 * (q / g - 1)) * alpha * n / b + 4 * (1 - g / q) * n * n / q;
      const double outer = (std::log2(g * g) + 2 * (g - 1)) * alpha * n / M + 4 * (1 - 1 / g) * n * n / q;
      EXPECT_NEAR(seconds(256, 16, static_cast<Int>(g), static_cast<Int>(M), 8, alpha), inner + outer, 1)
          << g << " " << M;
    }
}

TEST(Hsumma, GroupsWinWhereEquation10SaysAndLoseWhereEquation11Says) {
  const Int n = 256, q = 16, b = 16;
  const double threshold = 2.0 * n * b / (q * q);
  const auto time = [&](Int g, double alpha) { return seconds(n, q, g, b, b, alpha); };
  EXPECT_NEAR(time(1, threshold), time(4, threshold), 1);
  for (Int g : {1, 2, 8, 16}) {
    EXPECT_LT(time(4, 1.1 * threshold), time(g, 1.1 * threshold)) << g;
    EXPECT_GT(time(4, 0.9 * threshold), time(g, 0.9 * threshold)) << g;
  }
  const double alpha = 8 * threshold;  // Equation 12
  EXPECT_NEAR(time(4, alpha), (8 + 4 * 3) * 16 * alpha + 8 * 0.75 * n * n / q, 1);
}

TEST(Hsumma, RefusesGroupsThatDoNotTileAndInnerPanelsWiderThanOuterOnes) {
  const GemmProblem p = problem(100, 100, 100, 16);
  expect_refusals(p, "hsumma 8x8 groups=2x2 M=256 b=64",
                  {{"hsumma 4x4 groups=3x2 M=8 b=4", "groups=3x2 do not tile a grid of 4x4"},
                   {"hsumma 4x4 groups=2x8 M=8 b=4", "groups=2x8 do not tile"},
                   {"hsumma 4x4 groups=2x2 M=8 b=9", "b=9 do not fit into outer ones of M=8"},
                   {"hsumma 4x4 groups=2x2 M=8", "b="},
                   {"hsumma 4x4 groups=2x2 b=8", "M="},
                   {"hsumma 4x4 M=8 b=4", "groups="},
                   {"hsumma 4x4 groups=2 M=8 b=4", "groups=2"},
                   {"hsumma 4x4 groups=2x2 M=8 b=4 stationary=a", "stationary=a"}});
  EXPECT_EQ(refusal_of(p, "hsumma 4x5 groups=1x1 M=8 b=4"),
            "hsumma 4x5 groups=1x1 M=8 b=4: the grid needs 20 ranks, expected at most 16");
}

}  // namespace
}  // namespace cairn
