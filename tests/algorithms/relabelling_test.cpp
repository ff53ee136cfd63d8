// Parts are put on the ranks that hold most of them.
#include "algorithms/relabelling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "layouts.hpp"

namespace cairn {
namespace {

Int words_moved(const Layout& a, const Layout& b, Int ranks) {
  Int sum = 0;
  for (Int r = 0; r < ranks; ++r) sum += testing::lacking(a, b, r);
  return sum;
}

TEST(Relabelling, NothingMovesWhereOnlyTheRanksDiffer) {
  const Layout a = Layout::block_cyclic(24, 30, {3, 4, 2, 3});
  Layout b = Layout::block_cyclic(24, 30, {3, 4, 2, 3, 1, 2});
  EXPECT_GT(words_moved(a, b, 6), 0);
  EXPECT_EQ(words_moved(a, least_moved(Op::none, a, b, 6), 6), 0);
  b.grid = b.grid.placed({3, 1, 7, 0, 4, 2});
  EXPECT_EQ(words_moved(a, least_moved(Op::none, a, b, 8), 8), 0);
  const Layout down = Layout::row_blocks(24, 30, 6), up = Layout::col_blocks(30, 24, 6);
  EXPECT_EQ(words_moved(down, least_moved(Op::transpose, up, down, 6), 6), 0);
}

TEST(Relabelling, NobodyChangesPlacesForNothing) {
  const Layout a = Layout::block_cyclic(24, 30, {3, 4, 2, 3}), one = Layout::on_one_rank(24, 30);
  EXPECT_TRUE(least_moved(Op::none, a, a, 6) == a);
  EXPECT_TRUE(least_moved(Op::none, testing::on_every_rank(24, 30, 6), a, 6) == a);
  EXPECT_TRUE(least_moved(Op::none, one, one, 6) == one);
  EXPECT_TRUE(least_moved(Op::none, one, a, 6) == a);
}

// The least words over all placements of b's parts, tried one after another.
Int least_of_all(const Layout& a, Layout b, Int ranks) {
  std::vector<Int> order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), Int{0});
  Int least = words_moved(a, b, ranks);
  const Grid grid = b.grid;
  do {
    const std::vector<Int> first(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(grid.size()));
    b.grid = grid.placed(first);
    least = std::min(least, words_moved(a, b, ranks));
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

TEST(Relabelling, NoOtherPlacementMovesLess) {
  const Int ranks = 4;
  const std::vector<Layout> all = testing::layouts(13, 11, ranks);
  Int saved = 0;
  for (std::size_t x = 0; x < all.size(); ++x) {
    const Layout &a = all[x], &b = all[(x + 5) % all.size()];
    const Layout best = least_moved(Op::none, a, b, ranks);
    const Int words = words_moved(a, best, ranks);
    saved += words_moved(a, b, ranks) - words;
    EXPECT_LE(words, words_moved(a, b, ranks));
    if (!b.blocks && !b.grid.placed()) {
      EXPECT_EQ(words, least_of_all(a, b, ranks)) << x;
    }
  }
  EXPECT_GT(saved, 0);
}

}  // namespace
}  // namespace cairn
