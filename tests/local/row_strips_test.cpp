// Strips that suit any processor give the same product.
#include "local/sparse/row_strips.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "blocks.hpp"
#include "local/sparse/block_panel.hpp"

namespace cairn {
namespace {

using testing::Random;

template <class T>
struct RowStripsOf : ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(RowStripsOf, Types);

// Of AVX-512, AVX, SSE and a BLAS; and others that cut nearly everywhere.
constexpr KernelRows kernels[] = {{32, 8, 16}, {16, 4, 65}, {8, 2, 65}, {128, 1, 64}, {4, 2, 3}};

// A dense product, but for columns of C of which later rows have fewer and fewer; in one to three slices.
template <class T>
struct Product {
  Blocks<T> A;
  testing::Dense<T> B{0, 0}, C{0, 0};
  std::vector<Int> tops;
  std::vector<BlockIndex> slices;

  explicit Product(Random& random) {
    const std::vector<std::vector<BlockIndex>> heights{{1}, {6}, {16}, {23}, {5, 13, 1}, {64, 70, 3}, {100}, {300, 2}};
    const auto m = testing::random_sizes(random, 1 + static_cast<int>(random() % 9), heights[random() % 8]);
    const auto k = testing::random_sizes(random, 1 + static_cast<int>(random() % 5), {1, 7, 30});
    A = testing::random_blocks<T>(random, m, k, 1);
    tops = testing::offsets(*m);
    B = testing::Dense<T>(testing::offsets(*k).back(), 1 + static_cast<Int>(random() % 64));
    C = testing::Dense<T>(tops.back(), B.cols);
    for (auto* matrix : {&B, &C})
      for (T& x : matrix->values) x = testing::random_number<T>(random);
    for (auto left = static_cast<BlockIndex>(B.rows); left > 0; left -= slices.back())
      slices.push_back(slices.size() == 2 ? left : 1 + static_cast<BlockIndex>(random() % static_cast<unsigned>(left)));
  }
  std::size_t rows() const { return A.rows.size(); }
  Int height(std::size_t row) const { return tops[row + 1] - tops[row]; }
  // The first columns are not computed in all rows; of the others the second half is set.
  Int first(std::size_t row) const { return std::min(B.cols, static_cast<Int>(row)); }
  Int middle(std::size_t row) const { return (first(row) + B.cols) / 2; }

  testing::Dense<T> expected() const {
    testing::Dense<T> sum(C.rows, C.cols), want = C;
    testing::add_product(T(1), testing::dense(A), B, sum);
    for (std::size_t r = 0; r < rows(); ++r)
      for (Int j = first(r); j < C.cols; ++j)
        for (Int i = tops[r]; i < tops[r + 1]; ++i) want(i, j) = sum(i, j) + (j < middle(r) ? C(i, j) : T(0));
    return want;
  }

  // B's slices one after another
  std::vector<T> sliced() const {
    std::vector<T> values;
    Int top = 0;
    for (const BlockIndex slice : slices) {
      for (Int j = 0; j < B.cols; ++j)
        for (Int i = top; i < top + slice; ++i) values.push_back(B(i, j));
      top += slice;
    }
    return values;
  }

  testing::Dense<T> found(const KernelRows& kernel) const {
    SmallProducts<T> small;
    RowStrips<T> strips(small, kernel);
    std::vector<BlocksOfRow> left;
    for (std::size_t r = 0; r < rows(); ++r)
      left.push_back({A.first[r], A.first[r + 1], static_cast<BlockIndex>(height(r))});
    strips.pack(A, left, slices);
    std::vector<std::vector<T>> parts;  // of C, each row by itself
    for (std::size_t r = 0; r < rows(); ++r) {
      parts.emplace_back();
      for (Int j = 0; j < C.cols; ++j)
        for (Int i = tops[r]; i < tops[r + 1]; ++i) parts.back().push_back(C(i, j));
    }
    std::vector<std::vector<Stretch<T>>> stretches(rows());
    for (std::size_t r = 0; r < rows(); ++r)
      for (const auto& [begin, end, unset] :
           {std::tuple(first(r), middle(r), false), std::tuple(middle(r), B.cols, true)})
        if (begin < end) stretches[r].push_back({begin, end - begin, parts[r].data() + begin * height(r), unset});
    strips.multiply(sliced().data(), static_cast<BlockIndex>(B.cols), stretches);
    testing::Dense<T> result(C.rows, C.cols);
    for (std::size_t r = 0; r < rows(); ++r)
      for (Int j = 0; j < C.cols; ++j)
        for (Int i = 0; i < height(r); ++i)
          result(tops[r] + i, j) = parts[r][static_cast<std::size_t>(i + j * height(r))];
    return result;
  }
};

TYPED_TEST(RowStripsOf, MakeTheProductInStripsOfAnyProcessor) {
  Random random(1);
  for (int round = 0; round < 40; ++round) {
    const Product<TypeParam> product(random);
    const auto want = product.expected();
    for (const KernelRows& kernel : kernels)
      ASSERT_EQ(product.found(kernel).values, want.values) << "round " << round << ", strips of " << kernel.together;
  }
}

}  // namespace
}  // namespace cairn
