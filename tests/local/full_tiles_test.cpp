#include "local/sparse/full_tiles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "blocks.hpp"
#include "local/sparse/block_operations.hpp"
#include "local/sparse/block_panel.hpp"
#include "local/sparse/local_product.hpp"

namespace cairn {
namespace {

using testing::Random;

// Dense but for some rows of A, some block columns of B from one row on, and some blocks of C; A lies row by row.
template <class T>
struct Operands {
  Blocks<T> A, B, C;
  explicit Operands(Random& random) {
    const std::vector<std::vector<BlockIndex>> all{{6}, {23}, {32}, {5, 13, 1}, {0, 7, 30}, {64, 70}};
    const auto draw = [&] { return testing::random_sizes(random, 8 + random() % 12, all[random() % all.size()]); };
    const auto m = draw(), n = draw(), k = draw();
    A = testing::random_blocks<T>(random, m, k, 1), B = testing::random_blocks<T>(random, k, n, 1);
    C = testing::random_blocks<T>(random, m, n, random() % 2 == 0 ? 0 : 0.8);
    const auto thin = static_cast<BlockIndex>(random() % 8), cut = static_cast<BlockIndex>(random() % 16);
    A = testing::part(A, [&](BlockIndex i, BlockIndex j) { return i % 8 != thin || j % 3 == 0; });
    B = testing::part(B, [&](BlockIndex i, BlockIndex j) { return i < cut || j % 4 != 0; });
    if (random() % 4 != 0) A = compact<T>(A);
    if (random() % 4 != 0) C = compact<T>(C);
    testing::leave_nan_behind(C);
  }
};

// Products of C's blocks, by the definition.
template <class T>
Int products_of(const Operands<T>& o, const Blocks<T>* only) {
  Int count = 0;
  for_each(o.A, [&](BlockIndex i, BlockIndex k, Int) {
    for_each(o.B, [&](BlockIndex row, BlockIndex j, Int) { count += row == k && (!only || find(*only, i, j) >= 0); });
  });
  return count;
}

template <class T>
struct FullTilesOf : ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(FullTilesOf, Types);

TYPED_TEST(FullTilesOf, AreMultipliedAndTheRestIs) {
  using T = TypeParam;
  Random random(1);
  LocalProduct<T> product;
  for (int round = 0; round < 30; ++round) {
    Operands<T> o(random);
    const T alpha = round % 2 == 0 ? T(1) : T(-2);
    auto want = testing::dense(o.C);
    testing::add_product(alpha, testing::dense(o.A), testing::dense(o.B), want);
    const Int before = product.products(), products = products_of<T>(o, nullptr);
    product.multiply(alpha, o.A, o.B, {}, o.C);
    testing::expect_well_formed(o.C);
    EXPECT_EQ(product.products() - before, products);
    ASSERT_EQ(testing::dense(o.C).values, want.values) << "round " << round;
  }
}

TYPED_TEST(FullTilesOf, KeepASparsityThatIsRetained) {
  using T = TypeParam;
  Random random(2);
  LocalProduct<T> product;
  for (int round = 0; round < 30; ++round) {
    Operands<T> o(random);
    const Blocks<T> had = o.C;
    Blocks<T> all = o.C;
    product.multiply(T(3), o.A, o.B, {}, all);
    all = testing::part(all, [&](BlockIndex i, BlockIndex j) { return find(had, i, j) >= 0; });
    const Int before = product.products();
    product.multiply(T(3), o.A, o.B, {.retain_sparsity = true}, o.C);
    EXPECT_EQ(product.products() - before, products_of<T>(o, &had));
    ASSERT_EQ(o.C.cols, had.cols);
    ASSERT_EQ(o.C.at, had.at);
    ASSERT_EQ(testing::dense(o.C).values, testing::dense(all).values) << "round " << round;
  }
}

// More columns than are packed at once, more rows of A than stay in a cache beside them, and more slices than are
// joined; of C the upper triangle.
TYPED_TEST(FullTilesOf, AreCutWhereTheyAreWide) {
  using T = TypeParam;
  Random random(6);
  const auto m = testing::random_sizes(random, 12, {63}), k = testing::random_sizes(random, 9, {64}),
             n = testing::random_sizes(random, 90, {64, 33, 1});
  const Blocks<T> A = compact<T>(testing::random_blocks<T>(random, m, k, 1)),
                  B = testing::random_blocks<T>(random, k, n, 1);
  Blocks<T> C = testing::random_blocks<T>(random, m, n, 0.1);
  C = testing::part(C, [](BlockIndex i, BlockIndex j) { return i <= j; });
  auto want = testing::dense(C);
  testing::add_product(T(2), testing::dense(A), testing::dense(B), want);
  LocalProduct<T> product;
  product.multiply(T(2), A, B, {.upper = true}, C);
  EXPECT_EQ(product.products(), 9 * (12 * 90 - 12 * 11 / 2));
  const auto found = testing::dense(C);
  const std::vector<Int> top = testing::offsets(*m), left = testing::offsets(*n);
  for (std::size_t i = 0; i < 12; ++i)
    for (Int c = left[i]; c < found.cols; ++c)
      for (Int r = top[i]; r < top[i + 1]; ++r) ASSERT_EQ(found(r, c), want(r, c)) << r << ", " << c;
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(C.first[i + 1] - C.first[i], static_cast<Int>(90 - i));
}

// Tiles of three blocks each, and blocks that are missing.
TYPED_TEST(FullTilesOf, AreJoinedWhereTheyMeetTheSameBlocks) {
  using T = TypeParam;
  using Is = bool (*)(BlockIndex, BlockIndex);
  const Is none = [](BlockIndex, BlockIndex) { return false; };
  const Is tile_of_a_row = [](BlockIndex i, BlockIndex k) { return i == 5 && k / 3 == 1; };
  const Is tile_of_all_rows = [](BlockIndex, BlockIndex k) { return k / 3 == 1; };
  const Is all_but_a_tile_of_a_row = [](BlockIndex i, BlockIndex k) { return k / 3 != i % 2; };
  const Is column_of_last_tile = [](BlockIndex k, BlockIndex j) { return k / 3 == 2 && j == 2; };
  const Is row = [](BlockIndex k, BlockIndex) { return k == 3; };
  Random random(7);
  LocalProduct<T> product;
  const auto m = testing::random_sizes(random, 8, {20}), k = testing::random_sizes(random, 9, {80});
  const auto full_a = testing::random_blocks<T>(random, m, k, 1), full_b = testing::random_blocks<T>(random, k, m, 1);
  int number = 0;
  for (const auto& [of_a, of_b] : std::initializer_list<std::pair<Is, Is>>{{none, none},
                                                                           {tile_of_a_row, none},
                                                                           {tile_of_all_rows, none},
                                                                           {all_but_a_tile_of_a_row, none},
                                                                           {none, column_of_last_tile},
                                                                           {none, row}}) {
    const Blocks<T> A = compact<T>(testing::part(full_a, std::not_fn(of_a))),
                    B = testing::part(full_b, std::not_fn(of_b));
    Blocks<T> C = testing::random_blocks<T>(random, m, m, 0.5);
    auto want = testing::dense(C);
    testing::add_product(T(2), testing::dense(A), testing::dense(B), want);
    product.multiply(T(2), A, B, {}, C);
    ASSERT_EQ(testing::dense(C).values, want.values) << "case " << number;
    ++number;
  }
}

template <class T>
struct Whole : Operands<T> {
  std::vector<bool> done;
  SmallProducts<T> small;
  static Operands<T> made(Random& random) {
    Operands<T> o(random);
    const auto sizes = testing::random_sizes(random, 12, {13});
    o.A = compact<T>(testing::random_blocks<T>(random, sizes, sizes, 1));
    o.B = testing::random_blocks<T>(random, sizes, sizes, 1);
    o.C = testing::random_blocks<T>(random, sizes, sizes, 0);
    return o;
  }
  explicit Whole(Random& random) : Operands<T>(made(random)) {}
  Int multiply(const ProductFilter& filter) {
    return FullTiles<T>(small).multiply(T(1), this->A, this->B, filter, this->C, done).products;
  }
  Int blocks_done() const { return std::count(done.begin(), done.end(), true); }
};

TYPED_TEST(FullTilesOf, TakeAllOfADenseMatrix) {
  Random random(3);
  Whole<TypeParam> o(random);
  EXPECT_EQ(o.multiply({}), 12 * 12 * 12);
  EXPECT_EQ(o.blocks_done(), 144);
}

TYPED_TEST(FullTilesOf, LeaveTheirRowsToTheFilterWhereItLeavesAProductOut) {
  using T = TypeParam;
  Random random(4);
  Whole<T> o(random);
  std::fill_n(o.A.values.begin() + o.A.at[12 * 5 + 3], 13 * 13, T(0));
  const std::vector<double> limits(12, 1e-3);
  EXPECT_EQ(o.multiply({limits, norms(o.A), norms(o.B)}), 11 * 12 * 12);
  EXPECT_TRUE(std::none_of(o.done.begin() + 12 * 5, o.done.begin() + 12 * 6, [](bool x) { return x; }));
  EXPECT_EQ(o.C.rows.size(), 11u);
}

TYPED_TEST(FullTilesOf, TakeNanWhereTheRestPassesTheFilter) {
  using T = TypeParam;
  Random random(5);
  Whole<T> o(random);
  o.B.values[static_cast<std::size_t>(o.B.at[7])] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<double> high(12, 1e9), low(12, 1e-3);
  EXPECT_EQ(o.multiply({high, norms(o.A), norms(o.B)}), 0);
  EXPECT_EQ(o.C.blocks(), 0);
  EXPECT_EQ(o.multiply({low, norms(o.A), norms(o.B)}), 12 * 12 * 12);
}

}  // namespace
}  // namespace cairn
