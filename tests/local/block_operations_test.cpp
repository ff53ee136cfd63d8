#include "local/sparse/block_operations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/scalars.hpp"
#include "blocks.hpp"

namespace cairn {
namespace {

template <class T>
struct BlockOperations : ::testing::Test {
  testing::Random random{7};
  Blocks<T> some(double chance) {
    const auto rows = testing::random_sizes(random, 9, {0, 1, 3, 6}),
               cols = testing::random_sizes(random, 11, {0, 2, 5});
    return testing::random_blocks<T>(random, rows, cols, chance);
  }
};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(BlockOperations, Types);

TYPED_TEST(BlockOperations, NormsAreThoseOfFrobenius) {
  const auto A = this->some(0.5);
  const std::vector<double> found = norms(A);
  ASSERT_EQ(found.size(), A.cols.size());
  testing::for_each_block(A, [&](BlockIndex row, std::size_t b) {
    double sum = 0;
    for (Int i = 0; i < Int{A.height(row)} * A.width(A.cols[b]); ++i)
      sum += std::pow(std::abs(A.values[static_cast<std::size_t>(A.at[b] + i)]), 2);
    constexpr bool single = sizeof(std::abs(TypeParam())) == sizeof(float);
    EXPECT_NEAR(found[b], std::sqrt(sum), (single ? 1e-6 : 1e-14) * std::sqrt(sum));
  });
}

TYPED_TEST(BlockOperations, NormsOfLargeFloatsDoNotOverflow) {
  auto A = this->some(1);
  for (auto& x : A.values) x = TypeParam(1e30F);
  for (double norm : norms(A)) EXPECT_TRUE(std::isfinite(norm));
}

TYPED_TEST(BlockOperations, TransposedHasEveryElementAtItsMirrorImage) {
  for (double chance : {0.0, 0.3, 1.0})
    for (bool conjugate : {false, true}) {
      const auto A = this->some(chance);
      const auto mirrored = transposed(A, conjugate);
      testing::expect_well_formed(mirrored);
      EXPECT_EQ(mirrored.blocks(), A.blocks());
      const auto before = testing::dense(A), after = testing::dense(mirrored);
      ASSERT_EQ(after.rows, before.cols);
      for (Int j = 0; j < before.cols; ++j)
        for (Int i = 0; i < before.rows; ++i)
          ASSERT_EQ(after(j, i), conjugate ? conjugated(before(i, j)) : before(i, j));
    }
}

TYPED_TEST(BlockOperations, FilterDropsWhatIsLessThanEpsAndOrdersTheRest) {
  const auto A = this->some(0.6);
  const std::vector<double> norm = norms(A);
  const double eps = norm[norm.size() / 2];  // that block stays: its norm is not less
  auto kept = A;
  filter(kept, eps);
  testing::expect_well_formed(kept);
  Int words = 0, blocks = 0;
  auto want = testing::dense(A);
  const auto top = testing::offsets(*A.row_sizes), left = testing::offsets(*A.col_sizes);
  testing::for_each_block(A, [&](BlockIndex row, std::size_t b) {
    const Int height = A.height(row), width = A.width(A.cols[b]);
    if (norm[b] >= eps) {
      EXPECT_EQ(kept.at[static_cast<std::size_t>(blocks++)], words);
      words += height * width;
      return;
    }
    for (Int j = 0; j < width; ++j)
      for (Int i = 0; i < height; ++i)
        want(top[static_cast<std::size_t>(row)] + i, left[static_cast<std::size_t>(A.cols[b])] + j) = 0;
  });
  EXPECT_EQ(kept.blocks(), blocks);
  EXPECT_LT(blocks, A.blocks());
  EXPECT_EQ(static_cast<Int>(kept.values.size()), words);
  EXPECT_EQ(testing::dense(kept).values, want.values);
}

TYPED_TEST(BlockOperations, FilterKeepsNanAndMayDropEverything) {
  auto A = this->some(1);
  const std::vector<double> norm = norms(A);
  const auto largest = static_cast<std::size_t>(std::max_element(norm.begin(), norm.end()) - norm.begin());
  A.values[static_cast<std::size_t>(A.at[largest])] = std::numeric_limits<float>::quiet_NaN();
  auto all = A;
  filter(A, 1e30);
  EXPECT_EQ(A.blocks(), 1);
  all.values.assign(all.values.size(), TypeParam(0));
  filter(all, 1e-30);
  EXPECT_EQ(all.blocks(), 0);
  EXPECT_TRUE(all.rows.empty());
  EXPECT_EQ(all.first, std::vector<Int>{0});
}

}  // namespace
}  // namespace cairn
