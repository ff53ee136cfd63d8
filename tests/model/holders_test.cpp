// Blocks that are dealt by classes, each held by nobody, one or several.
#include <gtest/gtest.h>

#include <random>

#include "cairn/layout.hpp"
#include "schedule/builder.hpp"

namespace cairn {
namespace {

class Cuts {
 public:
  Int pick(Int lo, Int hi) { return lo + static_cast<Int>(random_() % static_cast<unsigned>(hi - lo + 1)); }
  Cut next(const Grid& grid) {
    std::vector<std::vector<Int>> holders(static_cast<std::size_t>(pick(1, 6)));
    for (auto& of_class : holders)
      for (Int index = 0; index < grid.extent(0); ++index)
        if (pick(0, 2) == 0) of_class.push_back(index);
    Cut cut = Cut::classes(grid, 0, pick(1, 4), std::move(holders));
    cut.first = pick(0, cut.block);
    return cut;
  }

 private:
  std::mt19937 random_{7};
};

// Whether block t, of class t modulo their number, is held there.
bool holds(const Cut& cut, Int rank, Int i) {
  const Int block = i < cut.first ? 0 : 1 + (i - cut.first) / cut.block;
  const std::vector<Int>& ranks = cut.holders.of(block % cut.holders.size());
  return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

TEST(Holders, KeepTheBlocksOfTheirClasses) {
  const Grid grid({{"x", 4}});
  Cuts cuts;
  for (int turn = 0; turn < 300; ++turn) {
    const Int n = cuts.pick(0, 40);
    const Dim dim{{0, n}, {cuts.next(grid)}};
    for (Int rank = 0; rank < 4; ++rank) {
      const IndexSet set = dim.at(grid, rank);
      for (Int i = 0; i < n; ++i) ASSERT_EQ(set.local(i) >= 0, holds(dim.cuts[0], rank, i)) << turn << ' ' << i;
      ASSERT_EQ(dim.size(grid, rank), set.size()) << turn;
    }
  }
}

TEST(Holders, ThoseOfAPartAreThoseOfTheWhole) {
  const Grid grid({{"x", 4}});
  Cuts cuts;
  for (int turn = 0; turn < 300; ++turn) {
    const Int n = cuts.pick(0, 40), lo = cuts.pick(0, n), hi = cuts.pick(lo, n), from = cuts.pick(lo, hi);
    const Dim whole{{0, n}, {cuts.next(grid)}}, part = Part::within({lo, hi}).of(whole),
                                                again = Part::within({from, hi}).of(part);
    for (Int rank = 0; rank < 4; ++rank) {
      ASSERT_EQ(part.at(grid, rank), whole.at(grid, rank).intersect(Range{lo, hi})) << turn;
      ASSERT_EQ(again.at(grid, rank), whole.at(grid, rank).intersect(Range{from, hi})) << turn;
    }
  }
}

TEST(Holders, OnlySeveralInBothDimensionsOverlap) {
  Layout l = Layout::on_one_rank(8, 8);
  l.grid = Grid({{"x", 2}});
  const Cut shared = Cut::classes(l.grid, 0, 2, Holders({{0, 1}, {1}})),
            alone = Cut::classes(l.grid, 0, 2, Holders({{0}, {1}}));
  EXPECT_FALSE(l.overlapping());
  l.rows.cuts = l.cols.cuts = {shared};
  EXPECT_TRUE(l.overlapping());
  l.cols.cuts = {alone};
  EXPECT_FALSE(l.overlapping());
}

TEST(IndexSet, WithoutIsWhatTheOtherHasNot) {
  const IndexSet all{{0, 4}, {6, 12}, {14, 15}}, wrapped{{9, 11}, {0, 1}, {3, 8}};
  EXPECT_EQ(all.without(wrapped), (IndexSet{{1, 3}, {8, 9}, {11, 12}, {14, 15}}));
  EXPECT_EQ(wrapped.without(all), (IndexSet{{4, 6}}));
  EXPECT_EQ(all.without({}), all);
  EXPECT_TRUE(all.without(all).empty());
}

}  // namespace
}  // namespace cairn
