// Block-sparse matrices for tests: random ones, and what they are as dense matrices.
#pragma once
#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <random>
#include <vector>

#include "cairn/blocks.hpp"

namespace cairn::testing {

using Random = std::mt19937;

template <class T>
T random_number(Random& random) {
  std::uniform_int_distribution<int> digit(-4, 4);  // so that sums are exact, also of floats
  const double re = digit(random), im = digit(random);
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(re);
  else
    return T(static_cast<typename T::value_type>(re), static_cast<typename T::value_type>(im));
}

/// So many sizes, drawn from some.
inline std::shared_ptr<const BlockSizes> random_sizes(Random& random, int count, const std::vector<BlockIndex>& from) {
  auto sizes = std::make_shared<BlockSizes>();
  for (int i = 0; i < count; ++i) sizes->push_back(from[random() % from.size()]);
  return sizes;
}

/// Blocks are there with some chance; they lie backwards in `values`, with gaps between them.
template <class T>
Blocks<T> random_blocks(Random& random, std::shared_ptr<const BlockSizes> rows, std::shared_ptr<const BlockSizes> cols,
                        double chance) {
  Blocks<T> A;
  A.row_sizes = std::move(rows), A.col_sizes = std::move(cols);
  std::uniform_real_distribution<double> draw(0, 1);
  Int words = 0;
  for (std::size_t i = 0; i < A.row_sizes->size(); ++i) {
    for (std::size_t j = 0; j < A.col_sizes->size(); ++j) {
      if (draw(random) >= chance) continue;
      A.cols.push_back(static_cast<BlockIndex>(j));
      words += Int{(*A.row_sizes)[i]} * (*A.col_sizes)[j] + 1;
      A.at.push_back(words);
    }
    if (A.blocks() > A.first.back()) A.rows.push_back(static_cast<BlockIndex>(i)), A.first.push_back(A.blocks());
  }
  for (Int& place : A.at) place = words - place;
  for (Int i = 0; i < words; ++i) A.values.push_back(random_number<T>(random));
  return A;
}

/// The memory that new blocks of A get holds NaN, so that a sum shows where it was read before it was written.
template <class T>
void leave_nan_behind(Blocks<T>& A) {
  const std::size_t words = A.values.size();
  A.values.resize(words + 200'000, T(std::numeric_limits<float>::quiet_NaN()));
  A.values.resize(words);
}

/// visit(block row, block)
template <class T, class Visit>
void for_each_block(const Blocks<T>& A, Visit visit) {
  for_each(A, [&](BlockIndex row, BlockIndex, Int b) { visit(row, static_cast<std::size_t>(b)); });
}

/// The blocks of A for which choose(block row, block column) is true.
template <class T, class Choose>
Blocks<T> part(const Blocks<T>& A, Choose choose) {
  Blocks<T> result;
  result.row_sizes = A.row_sizes, result.col_sizes = A.col_sizes, result.values = A.values;
  for_each_block(A, [&](BlockIndex row, std::size_t b) {
    if (!choose(row, A.cols[b])) return;
    result.append(row, A.cols[b], A.at[b]);
  });
  return result;
}

inline std::vector<Int> offsets(const BlockSizes& sizes) {
  std::vector<Int> result{0};
  for (BlockIndex size : sizes) result.push_back(result.back() + size);
  return result;
}

/// A dense matrix by columns.
template <class T>
struct Dense {
  Int rows = 0, cols = 0;
  std::vector<T> values;
  Dense(Int m, Int n) : rows(m), cols(n), values(static_cast<std::size_t>(m * n)) {}
  T& operator()(Int i, Int j) { return values[static_cast<std::size_t>(i + j * rows)]; }
  T operator()(Int i, Int j) const { return values[static_cast<std::size_t>(i + j * rows)]; }
};

template <class T>
Dense<T> dense(const Blocks<T>& A) {
  const auto top = offsets(*A.row_sizes), left = offsets(*A.col_sizes);
  Dense<T> result(top.back(), left.back());
  for_each_block(A, [&](BlockIndex row, std::size_t b) {
    for (Int j = 0; j < A.width(A.cols[b]); ++j)
      for (Int i = 0; i < A.height(row); ++i)
        result(top[static_cast<std::size_t>(row)] + i, left[static_cast<std::size_t>(A.cols[b])] + j) =
            A.values[static_cast<std::size_t>(A.at[b] + i + j * A.height(row))];
  });
  return result;
}

/// x·y of finite numbers. std::complex also looks for NaN and infinity, which takes longer.
template <class T>
T product(T x, T y) {
  if constexpr (std::is_floating_point_v<T>)
    return x * y;
  else
    return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

/// C += alpha·A·B
template <class T>
void add_product(T alpha, const Dense<T>& A, const Dense<T>& B, Dense<T>& C) {
  for (Int j = 0; j < C.cols; ++j)
    for (Int k = 0; k < A.cols; ++k) {
      const T factor = alpha * B(k, j);
      const T* a = A.values.data() + k * A.rows;
      T* c = C.values.data() + j * C.rows;
      for (Int i = 0; i < C.rows; ++i) c[i] += product(factor, a[i]);
    }
}

/// What the index of every Blocks promises.
template <class T>
void expect_well_formed(const Blocks<T>& A) {
  ASSERT_EQ(A.first.size(), A.rows.size() + 1);
  ASSERT_EQ(A.first.front(), 0);
  ASSERT_EQ(A.first.back(), A.blocks());
  ASSERT_EQ(A.at.size(), A.cols.size());
  for (std::size_t r = 0; r < A.rows.size(); ++r) {
    ASSERT_LT(A.first[r], A.first[r + 1]);
    if (r > 0) {
      ASSERT_LT(A.rows[r - 1], A.rows[r]);
    }
    for (auto b = static_cast<std::size_t>(A.first[r]) + 1; b < static_cast<std::size_t>(A.first[r + 1]); ++b)
      ASSERT_LT(A.cols[b - 1], A.cols[b]);
  }
}

}  // namespace cairn::testing
