#include "cairn/layout.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace cairn
