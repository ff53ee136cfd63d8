#include <gtest/gtest.h>

#include <complex>
#include <vector>

#include "runtime/kernels/host_blas.hpp"

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
  for (auto [m, n, k] : {std::array<Int, 3>{5, 4, 3}, {1, 7, 2}, {6, 1, 1}, {3, 3, 0}, {0, 2, 2}})
    for (Order a : orders)
      for (Order b : orders)
        for (Order c : orders) {
          const Block<T> A(m, k, a, 2), B(k, n, b, 1);
          Block<T> C(m, n, c, 3);
          local_gemm<T>(T(2), A.constant(), B.constant(), T(-1), C.view);
          for (Int j = 0; j < n; ++j)
            for (Int i = 0; i < m; ++i) {
              T dot = 0;
              for (Int l = 0; l < k; ++l) dot += A.view(i, l) * B.view(l, j);
              ASSERT_EQ(C.view(i, j), T(2) * dot - number<T>(i, j));
            }
        }
}

TYPED_TEST(Kernels, UpdateCopiesTransposesAddsScalesAndConjugates) {
  using T = TypeParam;
  const Order orders[] = {Order::col, Order::row};
  for (auto [m, n] : {std::array<Int, 2>{5, 4}, {70, 33}, {1, 40}, {40, 1}, {0, 3}})
    for (Order to : orders)
      for (Order from : orders)
        for (T beta : {T(0), T(1), T(-2)})
          for (bool conjugate : {false, true}) {
            const Block<T> src(m, n, from, 2);
            Block<T> dst(m, n, to, 1);
            const auto strided = [](auto& b) {
              const bool col = b.view.order == Order::col;
              return std::pair(col ? Int{1} : b.view.ld, col ? b.view.ld : Int{1});
            };
            const auto [drs, dcs] = strided(dst);
            const auto [srs, scs] = strided(src);
            update_block<T>(m, n, {dst.view.data, drs, dcs}, {src.view.data, srs, scs}, beta, conjugate);
            for (Int j = 0; j < n; ++j)
              for (Int i = 0; i < m; ++i) {
                T x = number<T>(i, j);
                if constexpr (!std::is_floating_point_v<T>) x = conjugate ? std::conj(x) : x;
                ASSERT_EQ(dst.view(i, j), x + beta * number<T>(i, j));
              }
            ASSERT_EQ(dst.memory.back(), T(99));
          }
}

}  // namespace
}  // namespace cairn
