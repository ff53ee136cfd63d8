#include <gtest/gtest.h>

#include <complex>
#include <vector>

#include "base/scalars.hpp"
#include "local/kernels/host_blas.hpp"
#include "local/kernels/update_matched.hpp"

namespace cairn {
namespace {

template <class T>
struct Kernels : ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Kernels, Types);

template <class T>
T number(Int i, Int j) {
  const auto re = static_cast<double>((3 * i + 5 * j) % 7 - 3), im = static_cast<double>((i + 2 * j) % 5 - 2);
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(re);
  else
    return T(static_cast<typename T::value_type>(re), static_cast<typename T::value_type>(im));
}

template <class T>
struct Block {
  Block(Int rows, Int cols, Order order, Int pad) {
    view = {nullptr, rows, cols, std::max<Int>(1, (order == Order::col ? rows : cols) + pad), order};
    memory.assign(static_cast<std::size_t>(view.ld * (order == Order::col ? cols : rows) + 1), T(99));
    view.data = memory.data();
    for (Int j = 0; j < cols; ++j)
      for (Int i = 0; i < rows; ++i) view(i, j) = number<T>(i, j);
  }
  MatrixView<const T> constant() const { return {view.data, view.rows, view.cols, view.ld, view.order}; }
  std::vector<T> memory;
  MatrixView<T> view;
};

TYPED_TEST(Kernels, GemmMultipliesInEveryCombinationOfStorageOrders) {
  using T = TypeParam;
  const Order orders[] = {Order::col, Order::row};
  for (auto [m, n, k] : {std::array<Int, 3>{5, 4, 3}, {1, 7, 2}, {6, 1, 1}, {3, 3, 0}, {0, 2, 2}, {4, 5, 300}})
    for (Order a : orders)
      for (Order b : orders)
        for (Order c : orders)
          for (int conjugate : {0, 1, 2, 3}) {
            const bool of_a = conjugate % 2 == 1, of_b = conjugate > 1;
            const Block<T> A(m, k, a, 2), B(k, n, b, 1);
            Block<T> C(m, n, c, 3);
            local_gemm<T>(T(2), A.constant(), B.constant(), T(-1), C.view, of_a, of_b);
            for (Int j = 0; j < n; ++j)
              for (Int i = 0; i < m; ++i) {
                T dot = 0;
                for (Int l = 0; l < k; ++l) {
                  const T x = A.view(i, l), y = B.view(l, j);
                  dot += (of_a ? conjugated(x) : x) * (of_b ? conjugated(y) : y);
                }
                ASSERT_EQ(C.view(i, j), T(2) * dot - number<T>(i, j));
              }
          }
}

template <class B>
auto strided(B& b) {
  const bool col = b.view.order == Order::col;
  return Strided{b.view.data, col ? Int{1} : b.view.ld, col ? b.view.ld : Int{1}};
}
template <class T>
Strided<const T> constant(const Strided<T>& s) {
  return {s.data, s.rs, s.cs};
}

constexpr Order orders[] = {Order::col, Order::row};
constexpr std::array<Int, 2> block_sizes[] = {{5, 4}, {70, 33}, {1, 40}, {40, 1}, {0, 3}};

TYPED_TEST(Kernels, UpdateCopiesTransposesAddsAndScales) {
  using T = TypeParam;
  for (auto [m, n] : block_sizes)
    for (Order to : orders)
      for (Order from : orders)
        for (T beta : {T(0), T(1), T(-2)}) {
          Block<T> src(m, n, from, 2), dst(m, n, to, 1);
          update_matched<T>({{0, 0, m}}, {{0, 0, n}}, strided(dst), constant(strided(src)), T(1), beta, false);
          for (Int j = 0; j < n; ++j)
            for (Int i = 0; i < m; ++i) ASSERT_EQ(dst.view(i, j), number<T>(i, j) + beta * number<T>(i, j));
          ASSERT_EQ(dst.memory.back(), T(99));
        }
}

// Rows (columns) of dst in runs of 3, or as said, with one between, those of src in runs of 2 with two between.
std::vector<Match> scattered(Int n, Int in_dst = 3, Int in_src = 2) {
  std::vector<Match> all;
  for (Int at = 0, length = 0; at < n; at += length) {
    length = std::min({n - at, in_dst - at % in_dst, in_src - at % in_src});
    all.push_back({at / in_dst * (in_dst + 1) + at % in_dst, at / in_src * (in_src + 2) + at % in_src, length});
  }
  return all;
}

TYPED_TEST(Kernels, UpdateMatchedBringsScatteredElementsScaledAndConjugated) {
  using T = TypeParam;
  for (auto [m, n] : block_sizes)
    for (Order to : orders)
      for (Order from : orders)
        for (T alpha : {T(1), T(3)})
          for (T beta : {T(0), T(1), T(-2)})
            for (bool conjugate : {false, true}) {
              Block<T> src(2 * m + 2, 2 * n + 2, from, 2), dst(2 * m, 2 * n, to, 1);
              std::vector<T> want = dst.memory;
              for (Match c : scattered(n))
                for (Match r : scattered(m))
                  for (Int j = 0; j < c.length; ++j)
                    for (Int i = 0; i < r.length; ++i) {
                      T x = src.view(r.in_b + i, c.in_b + j);
                      if (conjugate) x = conjugated(x);
                      T& y = dst.view(r.in_a + i, c.in_a + j);
                      want[static_cast<std::size_t>(&y - dst.memory.data())] = alpha * x + beta * y;
                    }
              update_matched<T>(scattered(m), scattered(n), strided(dst), constant(strided(src)), alpha, beta,
                                conjugate);
              ASSERT_EQ(dst.memory, want);
            }
}

// In pieces of 35, 5 and 30 rows; lines of src a multiple of 2 KiB apart, or not.
TYPED_TEST(Kernels, UpdateMatchedTransposesLongPieces) {
  using T = TypeParam;
  constexpr Int m = 70, n = 99;
  for (Order to : orders)
    for (Int between : {Int{0}, Int{4}}) {
      const Int lines = 512 + between;  // how long they are
      const Order from = to == Order::col ? Order::row : Order::col;
      Block<T> src(from == Order::col ? lines : 120, from == Order::row ? lines : 120, from, 0), dst(120, 120, to, 1);
      std::vector<T> want = dst.memory;
      for (Match c : scattered(n, 40, 33))
        for (Match r : scattered(m, 40, 35))
          for (Int j = 0; j < c.length; ++j)
            for (Int i = 0; i < r.length; ++i) {
              T& y = dst.view(r.in_a + i, c.in_a + j);
              want[static_cast<std::size_t>(&y - dst.memory.data())] = src.view(r.in_b + i, c.in_b + j) + y;
            }
      update_matched<T>(scattered(m, 40, 35), scattered(n, 40, 33), strided(dst), constant(strided(src)), T(1), T(1),
                        false);
      ASSERT_EQ(dst.memory, want);
    }
}

}  // namespace
}  // namespace cairn
