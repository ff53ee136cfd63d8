#include "cairn/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace cairn {
namespace {

TEST(Layout, SameBlocksAreOwnedAlikeAndOthersAreNot) {
  const auto of = [](std::vector<Int> owner, Order order) {
    return Layout::arbitrary(9, 5, 2, {{0, 4, 9}, {0, 5}, std::move(owner)}, order);
  };
  const Layout several = of({1, 1}, Order::col);
  EXPECT_TRUE(several.same_ownership(of({1, 1}, Order::row), 2));
  EXPECT_FALSE(several.same_ownership(of({1, 0}, Order::col), 2));
  EXPECT_FALSE(several.same_ownership(Layout::on_one_rank(9, 5), 2));
}

// Also sets that wrap around, whose intervals do not ascend.
TEST(IndexSetTest, SetsMeetWhereTheyHaveElementsInCommon) {
  std::mt19937 random(1);
  const auto up_to = [&](Int most) { return std::uniform_int_distribution<Int>(0, most)(random); };
  const auto some = [&] {
    std::vector<Range> pieces;
    for (Int at = up_to(9), n = up_to(3); n > 0; --n) {
      pieces.push_back({at, at + up_to(4)});
      at = pieces.back().hi + up_to(6);
    }
    if (up_to(3) == 0)
      std::rotate(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(pieces.size() / 2), pieces.end());
    IndexSet set;
    for (Range r : pieces) set.push_back(r);
    return set;
  };
  int meet = 0;
  constexpr int pairs = 2000;
  for (int i = 0; i < pairs; ++i) {
    const IndexSet a = some(), b = some();
    ASSERT_EQ(a.meets(b), !a.intersect(b).empty()) << i;
    meet += a.meets(b);
  }
  EXPECT_GT(meet, pairs / 5);
  EXPECT_LT(meet, pairs - pairs / 5);
}

}  // namespace
}  // namespace cairn
