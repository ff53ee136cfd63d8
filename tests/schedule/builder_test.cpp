// What the Builder's calls make of layouts.
#include "schedule/builder.hpp"

#include <gtest/gtest.h>

#include <ctime>

#include "algorithms/cosma.hpp"
#include "cairn/error.hpp"
#include "schedule/effect.hpp"

namespace cairn {
namespace {

struct Square {
  Builder s{"test", 12, 12, 12, Grid({{"i", 2}, {"j", 3}, {"l", 1}}), 6};
  Layout layout = s.layout({0, 12}, {Cut::even(s.grid(), 0)}, {0, 12}, {Cut::even(s.grid(), 1)}, Order::col);
  Slot A = s.input("A", layout, layout, false);
};

TEST(Builder, AllKeepsCutsAndARangeDropsThemEvenIfItIsTheWholeExtent) {
  Square x;
  const Slot rows = x.s.bcast(x.A, x.s.all, Range{4, 8}, 1, 1);
  EXPECT_EQ(x.s.layout(rows).rows, x.layout.rows);
  EXPECT_EQ(x.s.layout(rows).cols, (Dim{{4, 8}, {}}));
  EXPECT_EQ(x.s.layout(x.s.bcast(x.A, x.s.all, Range{0, 12}, 1, 1)).cols, (Dim{{0, 12}, {}}));
}

TEST(Builder, ABroadcastDropsTheConditionOnItsAxisAndKeepsTheOthers) {
  Square x;
  const Slot corner = x.s.part(x.A, Range{0, 6}, Range{0, 4}, {{0, 0}, {1, 0}});
  EXPECT_EQ(x.s.layout(corner).where, (std::vector<Layout::Where>{{0, 0}, {1, 0}}));
  EXPECT_EQ(x.s.layout(x.s.bcast(corner, 1, 0)).where, (std::vector<Layout::Where>{{0, 0}}));
}

TEST(Builder, ABroadcastAlongOneRankAndAPartThatIsAllAreViewsWithoutSteps) {
  Square x;
  const Slot C = x.s.output("C", x.layout, x.layout);
  EXPECT_EQ(x.s.part(x.A, x.s.all, x.s.all), x.A);
  EXPECT_EQ(x.s.bcast(x.A, 2, 0), x.A);
  const Slot once = x.s.part(x.A, x.s.all, Range{0, 3}), again = x.s.part(x.A, x.s.all, Range{0, 3});
  EXPECT_EQ(once, again);
  x.s.reduce(x.A, C, 2, 0);
  EXPECT_EQ(x.s.done().steps.size(), 1U);
}

// By products where elements stay, however they travel before; on the way where a caller's matrix is redistributed.
TEST(Builder, ElementsAreConjugatedOnce) {
  for (bool stays : {true, false}) {
    Square x;
    const Layout rows = x.s.layout({0, 12}, {Cut::even(x.s.grid(), 0)}, {0, 12}, {}, Order::row);
    const Slot B = x.s.input("B", stays ? x.layout : rows, x.layout, true);
    const Slot C = x.s.output("C", x.layout, x.layout);
    x.s.gemm(x.s.all_gather(x.A, 1), x.s.all_gather(B, 0), C);
    const Schedule s = x.s.done();
    EXPECT_EQ(redistributes(s), !stays);
    const Effect last = effects(s).back();
    ASSERT_TRUE(as_compute(last));
    EXPECT_FALSE(as_compute(last)->conjugate_a);
    EXPECT_EQ(as_compute(last)->conjugate_b, stays);
  }
}

TEST(Builder, AHundredThousandViewsTakeNoTime) {
  GemmProblem p;
  p.m = p.n = p.k = 100000;
  const std::clock_t start = std::clock();
  EXPECT_GT(cosma(p, parse_cosma_cuts("sk50000")).slots.size(), 100000U);
  EXPECT_LT(std::clock() - start, 5 * CLOCKS_PER_SEC);  // of work; comparing each with all others takes 25
}

}  // namespace
}  // namespace cairn
