// What Cannon's ranks receive and hold, and which grids are refused.
#include <gtest/gtest.h>

#include <cmath>
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

struct Shape {
  Int pr, pc, layers;
};
constexpr Shape grids[] = {{1, 1, 1}, {2, 2, 1}, {4, 4, 1}, {1, 4, 1}, {3, 1, 1}, {2, 3, 1}, {4, 6, 1},
                           {4, 2, 1}, {2, 2, 2}, {4, 4, 2}, {4, 4, 4}, {1, 4, 2}, {2, 3, 3}, {4, 6, 4}};

// Of V/L pieces that the rank `at` of a line of q takes one after another, those that are not its own: the first comes
// from `skew` ranks on; later ones from the neighbour, or if the ring is open at the last rank from their owner.
Int pieces(Int V, Int steps, Int q, Int at, Int skew) {
  Int own = skew % q == 0 ? 1 : 0;
  for (Int t = 1; t < steps && V > q && at == q - 1; ++t) own += (skew + t) % q == 0 ? 1 : 0;
  return steps - own;
}

// docs/algorithms/cannon.md, "What a rank receives".
TEST(Cannon, ReceivesItsClosedFormOnEveryRank) {
  for (auto [pr, pc, layers] : grids) {
    const Int V = std::lcm(pr, pc), steps = V / layers, m = 3 * pr, n = 5 * pc, k = 2 * V;
    const Schedule s = made(problem(m, n, k, pr * pc * layers), "cannon", {pr, pc, layers});
    expect_received(s, [&, q = pr * pc, pr = pr, pc = pc, layers = layers](Int rank) {
      const Int l = rank % layers, j = rank / layers % pc, i = rank / layers / pc, skew = l * steps;
      const Int copied_or_summed = l > 0 ? (m * k + k * n) / q : (layers - 1) * m * n / q;
      return copied_or_summed + pieces(V, steps, pc, j, i + skew) * m * k / (pr * V) +
             pieces(V, steps, pr, i, j + skew) * k * n / (pc * V);
    });
  }
}

// [cosma-sc19 Table 2], 2D and 2.5D: S words hold a rank's share of c copies of A and B; its own block of C comes last.
TEST(Cannon, ShiftsAsManyWordsAsCosmasTable2Says) {
  const Int m = 64, n = 192, k = 128;
  for (auto [q, c] : {std::pair<Int, Int>{4, 1}, {8, 1}, {4, 2}, {8, 4}}) {
    const auto p = static_cast<double>(q * q * c), S = static_cast<double>(c * (m * k + k * n)) / p;
    const auto inputs = static_cast<double>(k * (m + n));
    const double Q = std::pow(inputs, 1.5) / (p * std::sqrt(S)) + static_cast<double>(m * n) * S / inputs;
    const Schedule s = made(problem(m, n, k, q * q * c), "cannon", {q, q, c});
    Int shifted = 0;
    const Int rank = s.grid.size() - q * c - 1;  // all its skews are nonzero
    for (const LabelledStep& l : s.steps)
      if (const auto* x = std::get_if<Shift>(&l.step)) shifted += s.layout(x->dst).words(rank);
    EXPECT_DOUBLE_EQ(static_cast<double>(shifted + m * n / (q * q)), Q) << s.algorithm;
  }
}

TEST(Cannon, ReceivesLessOnLayersThanOnOneLayerOfAsManyRanks) {
  const GemmProblem p = problem(512, 512, 512, 256);
  EXPECT_EQ(most(p, "cannon 16x16").received, 2 * 512 * 512 / 16);
  EXPECT_LT(most(p, "cannon 8x8x4").received, most(p, "cannon 16x16").received);
}

TEST(Cannon, HoldsSixBlocksAndOneMoreWithLookAhead) {
  const Schedule s = made(problem(64, 64, 64, 16), "cannon", {4, 4});
  EXPECT_EQ(count(s, expand_collectives(s), 5).peak_words, 6 * 16 * 16);
  const Schedule ahead = look_ahead(s, 1);
  EXPECT_EQ(count(ahead, expand_collectives(ahead), 5).peak_words, 7 * 16 * 16);
}

TEST(Cannon, EachStepButTheSkewMovesPiecesToNeighbours) {
  for (const LabelledStep& l : made(problem(64, 64, 64, 16), "cannon", {4, 4}).steps)
    if (const auto* x = std::get_if<Shift>(&l.step)) {
      EXPECT_TRUE(x->by == Affine(1) || x->by == Affine::along(1 - x->axis)) << l.source;
    }
}

TEST(Cannon, RefusalsSayWhyAndShowAnExample) {
  const GemmProblem p = problem(100, 100, 100, 64);
  expect_refusals(p, "cannon 4x4x2",
                  {{"cannon", "the grid is missing"},
                   {"cannon 4", "'4'"},
                   {"cannon 4x", "'4x'"},
                   {"cannon 4x4x2x2", "'4x4x2x2'"},
                   {"cannon 0x4", "'0x4'"},
                   {"cannon 4x4 b=2", "'b=2'"},
                   {"cannon 4x4x3", "3 layers cannot share the lcm(4, 4) = 4 steps evenly"},
                   {"cannon 2x3x4", "4 layers cannot share the lcm(2, 3) = 6 steps evenly"},
                   {"cannon 1048583x2", "more than 1048576"}});
  EXPECT_EQ(refusal_of(p, "cannon 9x9"), "cannon 9x9: the grid needs 81 ranks, expected at most 64");
}

}  // namespace
}  // namespace cairn
