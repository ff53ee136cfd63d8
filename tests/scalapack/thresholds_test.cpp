#include "scalapack/thresholds.hpp"

#include <gtest/gtest.h>

#include "scalapack/triangle_thresholds.hpp"

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

ProcessGrid grid(int rows, int cols) { return {rows, cols, 0, 0}; }

TEST(Worth, OfFactorisationsAreThoseInWhichPanelsAreDealt) {
  EXPECT_TRUE(worth_factorising(256, 2));
  EXPECT_FALSE(worth_factorising(255, 2));
  EXPECT_FALSE(worth_factorising(256, 16)) << "a rank has too little of it";
  EXPECT_FALSE(worth_factorising(4096, 1)) << "one rank has nothing to send";
  const auto gains = [](Uplo triangle, int rows, int cols) {
    return gains_by_factorising(triangle, 1024, 64, grid(rows, cols));
  };
  EXPECT_TRUE(gains(Uplo::lower, 2, 2) && gains(Uplo::upper, 2, 2));
  EXPECT_TRUE(gains(Uplo::lower, 2, 3) && gains(Uplo::upper, 3, 2));
  EXPECT_FALSE(gains(Uplo::lower, 3, 2) || gains(Uplo::upper, 2, 3)) << "panels go along the longer side";
  EXPECT_TRUE(gains(Uplo::lower, 4, 1) && gains(Uplo::upper, 1, 4));
  for (Uplo triangle : {Uplo::lower, Uplo::upper}) {
    EXPECT_TRUE(gains(triangle, 2, 1) && gains(triangle, 1, 2));
    const auto column = triangle == Uplo::lower ? grid(2, 1) : grid(1, 2);
    EXPECT_TRUE(gains_by_factorising(triangle, 256, 256, column)) << "two ranks in a column gain always";
  }
  EXPECT_FALSE(gains(Uplo::lower, 1, 4) || gains(Uplo::upper, 4, 1)) << "ScaLAPACK sends the last panels to fewer";
  EXPECT_FALSE(gains_by_factorising(Uplo::lower, 1024, 8, grid(2, 2))) << "small blocks";
  EXPECT_FALSE(gains_by_factorising(Uplo::lower, 1024, 128, grid(4, 1))) << "few panels";
  EXPECT_TRUE(gains_by_factorising(Uplo::lower, 1024, 128, grid(1, 2)));
  EXPECT_FALSE(gains_by_factorising(Uplo::lower, 512, 128, grid(1, 2))) << "few panels";
  EXPECT_TRUE(gains_by_factorising(Uplo::lower, 1024, 128, grid(2, 2)));
}

TEST(Worth, FactorisationsGoElsewhereInTinyBlocksOrOneOrTwo) {
  EXPECT_TRUE(gains_elsewhere(512, 1) && gains_elsewhere(512, 15) && gains_elsewhere(4096, 16));
  EXPECT_TRUE(gains_elsewhere(512, 256) && gains_elsewhere(512, 1000));
  EXPECT_FALSE(gains_elsewhere(2048, 16) || gains_elsewhere(4096, 32) || gains_elsewhere(513, 256));
}

// A plan takes longer on more ranks, but not in proportion: on many ranks it would never seem to pay.
TEST(Worth, PlansOfPanelsCostAsMeasured) {
  const double of_one = products_for_panels(1, 2, 1);
  EXPECT_NEAR(of_one, 0.15e-3 * 10e9, 0.01e6);
  EXPECT_DOUBLE_EQ(products_for_panels(10, 2, 0.5), 20 * of_one);
  EXPECT_LT(products_for_panels(1, 1024, 1), 12 * of_one);
}

TEST(Worth, OfSolvesAreThoseThatAreFasterThanScalapacks) {
  EXPECT_TRUE(worth_solving(512, 128, 2));
  EXPECT_FALSE(worth_solving(4096, 127, 2));
  EXPECT_FALSE(worth_solving(255, 4096, 2));
  EXPECT_FALSE(worth_solving(512, 512, 1));
  const auto gains = [](bool as_stored, int rows, int cols, Int order = 2048, Int block = 64) {
    return gains_by_solving(Side::left, as_stored, order, order, block, grid(rows, cols));
  };
  EXPECT_TRUE(gains(true, 1, 2, 512) && gains(true, 1, 4, 512, 128)) << "ScaLAPACK moves too much";
  EXPECT_TRUE(gains(true, 2, 1) && gains(true, 2, 1, 512));
  EXPECT_FALSE(gains(true, 2, 1, 256, 16)) << "small";
  EXPECT_TRUE(gains(true, 4, 1) && gains(true, 2, 2) && gains(true, 2, 4) && gains(true, 4, 4));
  EXPECT_TRUE(gains(true, 2, 2, 1024, 64));
  EXPECT_FALSE(gains(true, 2, 2, 512, 32) || gains(true, 4, 4, 1024, 32)) << "small for so many ranks";
  EXPECT_FALSE(gains(true, 2, 2, 1024, 128)) << "few panels for so many ranks";
  EXPECT_FALSE(gains(true, 2, 1, 1024, 256)) << "few panels";
  const auto from_the_right = [](bool as_stored, int rows, int cols, Int order, Int block) {
    return gains_by_solving(Side::right, as_stored, order, order, block, grid(rows, cols));
  };
  EXPECT_TRUE(from_the_right(true, 2, 1, 1024, 64));
  EXPECT_FALSE(from_the_right(true, 2, 1, 512, 64) || from_the_right(true, 2, 1, 1024, 32));
  EXPECT_TRUE(from_the_right(false, 1, 2, 256, 64) && from_the_right(false, 1, 2, 2048, 128));
  EXPECT_FALSE(from_the_right(false, 1, 2, 256, 128)) << "few panels";
  EXPECT_TRUE(from_the_right(true, 1, 4, 1024, 64));
  EXPECT_TRUE(from_the_right(false, 1, 4, 4096, 64) && from_the_right(true, 2, 2, 4096, 64));
  EXPECT_TRUE(from_the_right(false, 4, 1, 1024, 64));
  EXPECT_FALSE(from_the_right(true, 4, 1, 4096, 64)) << "nothing to hide in a column of ranks";
  const auto with_others = [](Side side, bool as_stored, Int others, int rows, int cols) {
    return gains_by_solving(side, as_stored, 2048, others, 64, grid(rows, cols));
  };
  EXPECT_TRUE(with_others(Side::left, true, 512, 1, 2) && with_others(Side::left, true, 768, 1, 4));
  EXPECT_FALSE(with_others(Side::left, true, 511, 1, 2) || with_others(Side::left, true, 767, 1, 4)) << "more words";
  EXPECT_FALSE(with_others(Side::left, false, 128, 1, 2) || with_others(Side::right, false, 128, 2, 1)) << "more words";
  EXPECT_TRUE(gains(false, 1, 2) && gains(false, 2, 1, 512) && gains(false, 2, 1, 512, 128));
  EXPECT_TRUE(gains_by_solving(Side::right, false, 2048, 2048, 64, grid(2, 1)));
  EXPECT_TRUE(gains(false, 1, 4) && gains(false, 2, 2, 1024));
  EXPECT_FALSE(gains(false, 4, 1, 4096)) << "sums in a column of ranks";
  EXPECT_FALSE(gains(false, 2, 1, 128, 16)) << "small";
  EXPECT_FALSE(gains(false, 2, 1, 256, 128)) << "few panels";
  EXPECT_FALSE(gains(true, 1, 2, 2048, 8) || gains(false, 2, 1, 2048, 8)) << "small blocks";
}

}  // namespace cairn::scalapack
