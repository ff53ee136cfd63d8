// Ranks in each other's place hold what the others held.
#include "model/labels.hpp"

#include <gtest/gtest.h>

#include "layouts.hpp"

namespace cairn {
namespace {

void expect_same_part(const Layout& a, Int rank_in_a, const Layout& b, Int rank_in_b) {
  const std::vector<Patch> x = a.patches(rank_in_a), y = b.patches(rank_in_b);
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t p = 0; p < x.size(); ++p) {
    EXPECT_TRUE(x[p].rows == y[p].rows);
    EXPECT_TRUE(x[p].cols == y[p].cols);
  }
}

TEST(Labels, EveryPositionsPartIsAtItsRank) {
  const Int ranks = 6;
  const Labels labels({4, 0, 5, 1, 3, 2});
  for (const Layout& l : testing::layouts(13, 11, ranks)) {
    const Layout held = labels.of_ranks(l), back = labels.of_positions(held);
    for (Int p = 0; p < ranks; ++p) {
      EXPECT_EQ(labels.position(labels.rank(p)), p);
      expect_same_part(l, p, held, labels.rank(p));
      expect_same_part(l, p, back, p);
    }
  }
}

TEST(Labels, WithoutLabelsEachIsAtItsOwn) {
  const Labels none;
  const Layout l = Layout::row_blocks(7, 5, 3);
  EXPECT_TRUE(none.of_ranks(l) == l);
  EXPECT_TRUE(none.of_positions(l) == l);
  EXPECT_EQ(none.rank(2), 2);
  EXPECT_EQ(none.position(2), 2);
}

}  // namespace
}  // namespace cairn
