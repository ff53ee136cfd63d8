#include "local/sparse/local_product.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/scalars.hpp"
#include "blocks.hpp"
#include "local/sparse/block_operations.hpp"
#include "local/sparse/block_panel.hpp"

namespace cairn {
namespace {

using testing::Random;

struct Shape {
  std::shared_ptr<const BlockSizes> m, n, k;
};

Shape random_shape(Random& random) {
  const std::vector<std::vector<BlockIndex>> sizes{{6}, {0, 1, 5, 13}, {23}, {3, 4}, {0}, {2, 65, 7}};
  const auto draw = [&] {
    const int count = static_cast<int>(random() % 14);
    return testing::random_sizes(random, count, sizes[random() % sizes.size()]);
  };
  return {draw(), draw(), draw()};
}

template <class T>
struct Operands {
  Blocks<T> A, B, C;
  Operands(Random& random, const Shape& s, double chance_a, double chance_b, double chance_c)
      : A(testing::random_blocks<T>(random, s.m, s.k, chance_a)),
        B(testing::random_blocks<T>(random, s.k, s.n, chance_b)),
        C(testing::random_blocks<T>(random, s.m, s.n, chance_c)) {}
  explicit Operands(Random& random)
      : Operands(random, random_shape(random), chance(random), chance(random), chance(random)) {}
  static double chance(Random& random) { return std::vector<double>{0, 0.05, 0.3, 0.8, 1}[random() % 5]; }
};

// Limits of a filter with this eps, as if A were all of its matrix.
template <class T>
std::vector<double> limits(const Blocks<T>& A, double eps) {
  std::vector<double> result(A.row_sizes->size(), eps);
  for (std::size_t r = 0; r < A.rows.size(); ++r)
    result[static_cast<std::size_t>(A.rows[r])] = eps / static_cast<double>(A.first[r + 1] - A.first[r]);
  return result;
}

template <class T>
struct LocalProducts : ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(LocalProducts, Types);

TYPED_TEST(LocalProducts, AddAlphaTimesTheDenseProduct) {
  using T = TypeParam;
  Random random(1);
  LocalProduct<T> product;  // the same for all: what it keeps from one call does not show in the next
  for (int round = 0; round < 40; ++round) {
    Operands<T> o(random);
    const T alpha = round % 3 == 0 ? T(1) : testing::random_number<T>(random);
    auto want = testing::dense(o.C);
    testing::add_product(alpha, testing::dense(o.A), testing::dense(o.B), want);
    testing::leave_nan_behind(o.C);
    product.multiply(alpha, o.A, o.B, {}, o.C);
    testing::expect_well_formed(o.C);
    ASSERT_EQ(testing::dense(o.C).values, want.values) << "round " << round;
  }
}

TYPED_TEST(LocalProducts, AddUpToTheSameHoweverAAndBAreCutIntoPanels) {
  using T = TypeParam;
  Random random(2);
  LocalProduct<T> whole, cut;
  for (int round = 0; round < 30; ++round) {
    Operands<T> o(random);
    Blocks<T> C = o.C;
    const auto limit = limits(o.A, round % 2 == 0 ? 200 : 0);
    const auto norms_a = norms(o.A), norms_b = norms(o.B);
    const Int before = whole.products(), before_cut = cut.products();
    Int flops = whole.multiply(T(2), o.A, o.B, {limit, norms_a, norms_b}, o.C);
    const int panels = 1 + static_cast<int>(random() % 4);
    for (int p = 0; p < panels; ++p)
      for (int half = 0; half < 2; ++half) {
        const auto A = testing::part(o.A, [&](int i, int k) { return k * 7 % panels == p && i % 2 == half; });
        const auto B = testing::part(o.B, [&](int k, int) { return k * 7 % panels == p; });
        flops -= cut.multiply(T(2), A, B, {limit, norms(A), norms(B)}, C);
        testing::expect_well_formed(C);
      }
    EXPECT_EQ(cut.products() - before_cut, whole.products() - before);
    EXPECT_EQ(flops, 0);
    ASSERT_EQ(C.rows, o.C.rows);
    ASSERT_EQ(C.first, o.C.first);
    ASSERT_EQ(C.cols, o.C.cols);
    ASSERT_EQ(testing::dense(C).values, testing::dense(o.C).values) << "round " << round;
  }
}

// Of the products of A and B, those that the filter lets pass.
template <class T>
Int products_that_pass(T alpha, const Operands<T>& o, const std::vector<double>& limit) {
  const auto norms_a = norms(o.A), norms_b = norms(o.B);
  Int count = 0;
  testing::for_each_block(o.A, [&](BlockIndex i, std::size_t a) {
    testing::for_each_block(o.B, [&](BlockIndex k, std::size_t b) {
      const bool small = std::abs(alpha) * norms_a[a] * norms_b[b] < limit[static_cast<std::size_t>(i)];
      count += o.A.cols[a] == k && !small;
    });
  });
  return count;
}

// Blocks of 2 KiB and more that have several products each, and few blocks of A: all products of a block of C are done
// one after another, where alpha is 1.
template <class T>
Operands<T> large_blocks(Random& random) {
  const auto sizes = [&](int count) { return testing::random_sizes(random, count, {23, 30}); };
  Operands<T> o(random, {sizes(12), sizes(16), sizes(60)}, 0.15, 0.2, 0.1);
  testing::leave_nan_behind(o.C);
  return o;
}

TYPED_TEST(LocalProducts, OfLargeBlocksAddUpBlockByBlock) {
  using T = TypeParam;
  Random random(9);
  LocalProduct<T> product;
  for (const T alpha : {T(1), T(-2)}) {
    Operands<T> o = large_blocks<T>(random);
    const Blocks<T> before = o.C;
    auto want = testing::dense(o.C);
    testing::add_product(alpha, testing::dense(o.A), testing::dense(o.B), want);
    product.multiply(alpha, o.A, o.B, {}, o.C);
    testing::expect_well_formed(o.C);
    ASSERT_EQ(testing::dense(o.C).values, want.values);
    // New blocks of a row then lie in the order of its columns, so that they are sent as they are.
    for (std::size_t r = 0; alpha == T(1) && r < o.C.rows.size(); ++r)
      for (Int b = o.C.first[r], last = -1; b < o.C.first[r + 1]; ++b)
        if (const Int place = o.C.at[static_cast<std::size_t>(b)]; place >= static_cast<Int>(before.values.size())) {
          EXPECT_GT(place, last);
          last = place;
        }
  }
}

TYPED_TEST(LocalProducts, OfLargeBlocksAreLeftOutAsOthersAre) {
  using T = TypeParam;
  Random random(10);
  Operands<T> o = large_blocks<T>(random);
  const auto norms_a = norms(o.A), norms_b = norms(o.B);
  const std::vector<double> limit(12, 2 * norms_a[0] * norms_b[0]);
  LocalProduct<T> product;
  Blocks<T> all = o.C, kept = o.C;
  product.multiply(T(-2), o.A, o.B, {limit, norms_a, norms_b}, all);
  const Int passed = product.products();
  EXPECT_GT(passed, 0);
  EXPECT_EQ(passed, products_that_pass(T(-2), o, limit));
  EXPECT_LT(passed, products_that_pass(T(-2), o, std::vector<double>(12)));
  product.multiply(T(-2), o.A, o.B, {limit, norms_a, norms_b, true}, kept);
  ASSERT_EQ(kept.at, o.C.at);
  const auto had = testing::part(all, [&](BlockIndex i, BlockIndex j) { return find(o.C, i, j) >= 0; });
  ASSERT_EQ(testing::dense(kept).values, testing::dense(had).values);
}

TYPED_TEST(LocalProducts, LeaveOutWhatTheFilterFindsSmall) {
  using T = TypeParam;
  Random random(3);
  const auto sizes = testing::random_sizes(random, 12, {1, 4});
  for (double eps : {0.0, 100.0, 500.0, 1e9}) {
    Operands<T> o(random, {sizes, sizes, sizes}, 0.7, 0.7, 0);
    const auto limit = limits(o.A, eps);
    LocalProduct<T> product;
    product.multiply(T(-2), o.A, o.B, {limit, norms(o.A), norms(o.B)}, o.C);
    EXPECT_EQ(product.products(), products_that_pass(T(-2), o, limit));
    EXPECT_EQ(o.C.blocks() == 0, eps == 1e9);
  }
}

TYPED_TEST(LocalProducts, NeverLeaveOutNan) {
  using T = TypeParam;
  Random random(4);
  const auto sizes = testing::random_sizes(random, 5, {3});
  Operands<T> o(random, {sizes, sizes, sizes}, 1, 1, 0);
  o.B.values[static_cast<std::size_t>(o.B.at[7])] = std::numeric_limits<float>::quiet_NaN();  // block (1, 2)
  const std::vector<double> limit(5, 1e9);
  LocalProduct<T> product;
  product.multiply(T(1), o.A, o.B, {limit, norms(o.A), norms(o.B)}, o.C);
  EXPECT_EQ(product.products(), 5);
  EXPECT_EQ(o.C.cols, BlockSizes(5, 2));
  for (double norm : norms(o.C)) EXPECT_TRUE(std::isnan(norm));
}

TYPED_TEST(LocalProducts, ComputeOnlyBlocksThatCHasWhereItsSparsityIsRetained) {
  using T = TypeParam;
  Random random(5);
  LocalProduct<T> product;
  for (int round = 0; round < 20; ++round) {
    Operands<T> o(random);
    const Blocks<T> before = o.C;
    Blocks<T> all = o.C;
    product.multiply(T(3), o.A, o.B, {}, all);
    product.multiply(T(3), o.A, o.B, {.retain_sparsity = true}, o.C);
    ASSERT_EQ(o.C.cols, before.cols);
    ASSERT_EQ(o.C.at, before.at);
    ASSERT_EQ(o.C.values.size(), before.values.size());
    const auto had = testing::part(all, [&](BlockIndex row, BlockIndex col) {
      bool found = false;
      testing::for_each_block(before, [&](BlockIndex i, std::size_t b) { found |= i == row && before.cols[b] == col; });
      return found;
    });
    ASSERT_EQ(testing::dense(o.C).values, testing::dense(had).values);
  }
}

TYPED_TEST(LocalProducts, LeaveBlocksOfCWhereTheyAre) {
  using T = TypeParam;
  Random random(6);
  const auto sizes = testing::random_sizes(random, 9, {2, 5});
  Operands<T> o(random, {sizes, sizes, sizes}, 0.4, 0.4, 0.3);
  const Blocks<T> before = o.C;
  LocalProduct<T>().multiply(T(1), o.A, o.B, {}, o.C);
  EXPECT_GT(o.C.blocks(), before.blocks());
  testing::for_each_block(before, [&](BlockIndex row, std::size_t b) {
    testing::for_each_block(o.C, [&](BlockIndex i, std::size_t c) {
      if (i == row && o.C.cols[c] == before.cols[b]) {
        EXPECT_EQ(o.C.at[c], before.at[b]);
      }
    });
  });
}

TYPED_TEST(LocalProducts, CountFlopsAndProductsOfBlocks) {
  using T = TypeParam;
  Random random(8);
  const auto m = testing::random_sizes(random, 10, {5}), n = testing::random_sizes(random, 20, {7}),
             k = testing::random_sizes(random, 30, {66});
  Operands<T> o(random, {m, n, k}, 1, 1, 0);
  LocalProduct<T> product;
  EXPECT_EQ(product.multiply(T(1), o.A, o.B, {}, o.C), 2 * 50 * 140 * 30 * 66);
  EXPECT_EQ(product.products(), 10 * 20 * 30);
  EXPECT_EQ(product.multiply(T(0), o.A, o.B, {}, o.C), 0);
  EXPECT_EQ(product.products(), 10 * 20 * 30);
}

}  // namespace
}  // namespace cairn
