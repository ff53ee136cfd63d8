// What the ranks of 2.5D SUMMA receive, how wide its panels are, and what it refuses.
#include <gtest/gtest.h>

#include <numeric>

#include "algorithms.hpp"

namespace cairn {
namespace {

using testing::expect_received;
using testing::expect_refusals;
using testing::made;
using testing::most;
using testing::problem;
using testing::refusal_of;

// docs/algorithms/summa25d.md, "What a rank receives".
TEST(Summa25d, ReceivesItsClosedFormOnEveryRank) {
  for (auto [pr, pc, L] : {std::array<Int, 3>{1, 1, 1}, {2, 2, 1}, {2, 2, 2}, {4, 2, 2}, {2, 3, 4}, {3, 1, 3}}) {
    const Int b = 2, m = 3 * pr, n = 5 * pc, k = 2 * L * std::lcm(pr, pc) * b, q = pr * pc;
    const Int panels = m * k / (pr * L) * (pc - 1) / pc + k * n / (pc * L) * (pr - 1) / pr;
    const Int copies = (m * k + k * n) / q, sum = (L - 1) * m * n / q;
    const Schedule s = made(problem(m, n, k, q * L), "summa25d", {pr, pc, L}, " b=" + std::to_string(b));
    expect_received(s, [&](Int r) { return panels + (s.grid.index(r, 2) == 0 ? sum : copies); });
  }
}

TEST(Summa25d, PanelsAreAtMostAsWideAsAskedAndEveryRankOwnsSome) {
  for (Int k : {1, 7, 64, 1000, 4099})
    for (Int b : {1, 3, 16, 5000})
      for (auto [pr, pc, L] : {std::array<Int, 3>{1, 1, 1}, {2, 3, 2}, {4, 1, 3}}) {
        const Schedule s = made(problem(8, 8, k, 12), "summa25d", {pr, pc, L}, " b=" + std::to_string(b));
        for (const LabelledStep& l : s.steps)
          for (Int r = 0; r < s.grid.size() && std::holds_alternative<Compute>(l.step); ++r)
            ASSERT_LE(s.layout(std::get<Compute>(l.step).A).cols_at(r).size(), b) << s.algorithm;
        if (k < 64) continue;
        for (Int r = 0; r < s.grid.size(); r += L) {
          ASSERT_GT(s.layout(s.find("A")).words(r), 0) << s.algorithm;
          ASSERT_GT(s.layout(s.find("B")).words(r), 0) << s.algorithm;
        }
      }
}

TEST(Summa25d, ReceivesLessOnLayersThanOnOneLayerOfAsManyRanks) {
  const GemmProblem p = problem(512, 512, 512, 256);
  EXPECT_LT(most(p, "summa25d 8x8x4 b=16").received, most(p, "summa25d 16x16x1 b=16").received);
}

TEST(Summa25d, RefusalsSayWhyAndShowAnExample) {
  const GemmProblem p = problem(100, 100, Int{1} << 40, 8);
  expect_refusals(p, "summa25d 4x4x2 b=256",
                  {{"summa25d 2x2 b=4", "'2x2'"},
                   {"summa25d 2x2x2", "b="},
                   {"summa25d 2x2x2 b=0", "'b=0'"},
                   {"summa25d 2x2x2 b=4 cyclic", "'cyclic'"},
                   {"summa25d 2x2x2 b=4", "b=4 make"}});
  EXPECT_EQ(refusal_of(p, "summa25d 3x3x1 b=4"), "summa25d 3x3x1 b=4: the grid needs 9 ranks, expected at most 8");
}

}  // namespace
}  // namespace cairn
