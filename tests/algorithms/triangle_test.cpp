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
  const std::set<Int> known{3, 4, 6, 7, 12, 13, 20, 21, 30, 31, 56, 57, 72, 73, 90, 91};
  for (Int p = 0; p <= 100; ++p) {
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
      EXPECT_EQ(all, b * b * (z - 1) * T * (T + 1) / 2) << s.algorithm << ' ' << name_of(triangle);
    }
}

// The count is that of layouts in which a class of rows meets z ranks: (z - 1)/(2p) n².
TEST(Triangle, ReceivesAtMostATwentiethMoreThanItsLayoutMust) {
  for (Int p : {4, 7, 12, 13, 31, 57}) {
    const double z = triangle_blocks(p).holders_of_a_class(), T = 4.0 * static_cast<double>(p < 30 ? 40 : p);
    const Schedule s = schedule(p, 1, static_cast<Int>(T));
    const Totals t = count_all(s, expand_collectives(s));
    const double mean = t.mean_received / (T * T), design = (z - 1) / (2 * static_cast<double>(p));
    EXPECT_LE(mean, 1.05 * design) << p;
    EXPECT_LE(static_cast<double>(t.max.received), 1.2 * t.mean_received) << p;
  }
}

TEST(Triangle, RanksThatShareElementsHoldThemInPlace) {
  for (Int p : {4, 7, 12}) {
    FactoriseProblem problem{.n = 120, .ranks = p};
    const std::string spelling = "triangle " + std::to_string(p) + " b=3";
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
                               {"triangle b=2", "1 positive number"},
                               {"triangle 7 b=0", "'b=0'"},
                               {"triangle 5 b=4", "5 ranks, expected 4"},
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
