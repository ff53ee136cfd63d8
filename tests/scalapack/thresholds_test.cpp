#include "scalapack/thresholds.hpp"

#include <gtest/gtest.h>

namespace cairn::scalapack {

TEST(Worth, IsWhatGivesEveryRankEnoughToMultiply) {
  EXPECT_TRUE(worth_it(1024, 1024, 1024, 4));
  EXPECT_FALSE(worth_it(64, 64, 64, 2));
  EXPECT_FALSE(worth_it(4096, 4096, 63, 2)) << "a dimension below 64";
  EXPECT_FALSE(worth_it(4096, 4096, 4096, 1)) << "one rank has nothing to send";
  EXPECT_TRUE(worth_it(256, 256, 256, 2));
  EXPECT_FALSE(worth_it(256, 256, 256, 4));
}

TEST(Worth, OfOnePanelThereIsNothingToGain) {
  const Dealt wide{256, 256, 0, 2}, narrow{32, 32, 0, 2}, short_first{10, 256, 1, 2}, undivided{32, 32, 0, 1},
      copied{32, 32, -1, 2};
  EXPECT_TRUE(one_panel(wide, wide, 256));
  EXPECT_FALSE(one_panel(wide, wide, 257));
  EXPECT_FALSE(one_panel(wide, narrow, 256));
  EXPECT_FALSE(one_panel(narrow, wide, 256));
  EXPECT_FALSE(one_panel(short_first, wide, 256)) << "the submatrix begins at the end of a block";
  EXPECT_TRUE(one_panel(wide, undivided, 256));
  EXPECT_TRUE(one_panel(copied, wide, 256));
}

}  // namespace cairn::scalapack
