// Sizes of blocks that factorisations and solves are planned with.
#include "algorithms/grids_and_blocks.hpp"

#include <gtest/gtest.h>

namespace cairn {
namespace {

TEST(Widths, AreThoseWithWhichARankHasTwoBlocksOrAllAndNoMoreThan256) {
  const auto are = [](Int n, Int ranks, const std::vector<Int>& expected) {
    EXPECT_EQ(widths(n, ranks), expected) << n;
  };
  are(8192, 1, {32, 64, 128, 256, 512});
  are(8192, 16, {32, 64, 128, 256});
  are(16384, 1, {64, 128, 256, 512});
  are(1000000, 1, {4096});
  are(Int{1} << 40, 1 << 10, {Int{1} << 24});
  are(100'000'000, 100'000, {2048});  // no more than 65,536 in all
  are(100, 4, {32});
  are(100, 1, {32, 64, 128});  // the whole of it
  are(0, 1, {32});
}

}  // namespace
}  // namespace cairn
