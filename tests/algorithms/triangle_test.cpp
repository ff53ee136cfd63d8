// What the ranks of a Cholesky factorisation in triangle blocks receive and hold, and how it is spelled.
#include <gtest/gtest.h>

#include <set>

#include "algorithms.hpp"
#include "algorithms/triangle_blocks.hpp"
#include "triangular.hpp"

namespace cairn {
namespace {

Schedule schedule(Int ranks, Int b, Int blocks, Uplo triangle = Uplo::lower) {
  return testing::CholeskyCase{b * blocks, std::to_string(ranks), b, triangle, ranks, "triangle"}.schedule();
}

TEST(TriangleBlocks, AnyTwoClassesMeetInARank) {
  const std::set<Int> known{3,  4,  6,  7,  12, 13,  20,  21,  30,  31,  50, 56,
                            57, 72, 73, 90, 91, 132, 133, 182, 183, 272, 273};
  for (Int p = 0; p <= 300; ++p) {
    const TriangleBlocks blocks = triangle_blocks(p);
    ASSERT_EQ(blocks.ranks, known.count(p) > 0 ? p : 0);
    EXPECT_EQ(most_in_triangle_blocks(p), p < 3 ? 0 : *std::prev(known.upper_bound(p)));
    const auto classes = static_cast<Int>(blocks.holders.size());
    for (Int one = 0; one < classes; ++one)
      for (Int other = 0; other < one; ++other) {
        const std::vector<Int> both = blocks.meeting(one, other);
        EXPECT_EQ(both.size(), p == 4 && one == 4 && other == 3 ? 3U : 1U) << p << ": " << one << ' ' << other;
        for (Int rank : both) EXPECT_TRUE(0 <= rank && rank < p);
      }
  }
}

// docs/algorithms/triangle.md, "What a rank receives": all ranks together, exactly.
TEST(Triangle, ReceivesItsClosedForm) {
  for (Int p : {3, 6, 7, 12, 13, 21, 31})
    for (Uplo triangle : {Uplo::lower, Uplo::upper}) {
      const TriangleBlocks blocks = triangle_blocks(p);
      const Int b = 2, z = static_cast<Int>(blocks.holders.front().size()), T = 41;
      const Schedule s = schedule(p, b, T, triangle), wire = expand_collectives(s);
      Int all = 0;
      for (Int r = 0; r < p; ++r) all += count(s, wire, r).received;
      EXPECT_EQ(all, (z - 1) * (b * b * T * (T - 1) / 2 + b * (b + 1) / 2 * T))
          << s.algorithm << ' ' << name_of(triangle);
    }
}

// The count is that of layouts in which a class of rows meets z ranks: (z - 1)/(2p) n².
TEST(Triangle, ReceivesAtMostATwentiethMoreThanItsLayoutMust) {
  for (Int p : {4, 7, 12, 13, 31, 50, 57}) {
    const double z = triangle_blocks(p).holders_of_a_class(), T = 4.0 * static_cast<double>(p < 30 ? 40 : p);
    const Schedule s = schedule(p, 1, static_cast<Int>(T));
    const Totals t = count_all(s, expand_collectives(s));
    const double mean = t.mean_received / (T * T), design = (z - 1) / (2 * static_cast<double>(p));
    EXPECT_LE(mean, 1.05 * design) << p;
    EXPECT_LE(static_cast<double>(t.max.received), 1.2 * t.mean_received) << p;
  }
}

// In L layers: what a layer of T/L wide blocks receives, b² L (z - 1) more within a wide block column, and sums of all
// but the first block column, also of the z copies of rows that are of its class.
TEST(Triangle, ReceivesItsClosedFormInLayers) {
  for (auto [p, L] : std::vector<std::pair<Int, Int>>{{3, 2}, {6, 2}, {7, 3}, {13, 2}}) {
    const TriangleBlocks blocks = triangle_blocks(p);
    const Int b = 2, z = static_cast<Int>(blocks.holders.front().size()), classes = blocks.classes(), F = 3 * classes;
    const Int T = F * L;
    const Schedule s =
        testing::CholeskyCase{b * T, std::to_string(p) + "x" + std::to_string(L), b, Uplo::lower, p * L, "triangle"}
            .schedule();
    const Schedule wire = expand_collectives(s);
    Int sums = 0, all = 0;
    for (Int k = 1; k < T; ++k) {
      const Int later = (F - 1 - k / L) / classes * L;  // blocks of its class in later wide blocks
      sums += T - k + (z - 1) * ((k / L + 1) * L - k + later);
    }
    const Int panels = L * L * F * (F - 1) / 2 + F * L * (L - 1) / 2, L11 = b * (b + 1) / 2 * T;
    for (Int r = 0; r < p * L; ++r) all += count(s, wire, r).received;
    EXPECT_EQ(all, b * b * ((z - 1) * panels + (L - 1) * sums) + (z - 1) * L11) << s.algorithm;
  }
}

// Fewer than any 2D layout may, and than on one layer: 0.055 n² on 64 ranks.
TEST(Triangle, LayersReceiveLess) {
  const auto mean = [](const char* grid, Int ranks) {
    const Int T = 62 * 8;
    const Schedule s = testing::CholeskyCase{T, grid, 1, Uplo::lower, ranks, "triangle"}.schedule();
    return count_all(s, expand_collectives(s)).mean_received / static_cast<double>(T * T);
  };
  EXPECT_LE(mean("31x2", 62), 0.052);
  EXPECT_LE(mean("31x2", 62), 0.85 * mean("57", 57));
}

TEST(Triangle, RanksThatShareElementsHoldThemInPlace) {
  for (const char* grid : {"4", "7", "12", "3x2", "4x2"}) {
    FactoriseProblem problem{.n = 120, .ranks = 12};
    const std::string spelling = std::string("triangle ") + grid + " b=3";
    const Schedule own = make_algorithm(problem, spelling);
    problem.a = own.layout(own.callers().front());
    EXPECT_TRUE(problem.a->overlapping());
    EXPECT_EQ(make_algorithm(problem, spelling).steps.size(), own.steps.size());
  }
}

TEST(Triangle, RefusalsSayWhyAndShowAnExample) {
  FactoriseProblem p{.n = 100, .ranks = 8};
  const auto said = [&](const char* spelling) { return testing::refusal([&] { make_algorithm(p, spelling); }); };
  for (auto [spelling, why] : {std::pair("triangle 7", "b="),
                               {"triangle b=2", "1 or 2 positive numbers"},
                               {"triangle 7 b=0", "'b=0'"},
                               {"triangle 5 b=4", "5 ranks, expected q*q+q+1"},
                               {"triangle 7 b=4 cyclic", "'cyclic'"}}) {
    EXPECT_NE(said(spelling).find(why), std::string::npos) << said(spelling);
    EXPECT_NE(said(spelling).find("as in triangle 7 b=64"), std::string::npos) << said(spelling);
  }
  EXPECT_EQ(said("triangle 13 b=4"), "triangle 13 b=4: the grid needs 13 ranks, expected at most 8");
  p.triangle = Uplo::full;
  EXPECT_EQ(said("triangle 7 b=4"), "triangle: full, expected lower or upper");
}

}  // namespace
}  // namespace cairn
