#include "local/kernels/triangles.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "base/scalars.hpp"

namespace cairn {
namespace {

template <class T>
struct Triangles : ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Triangles, Types);

template <class T>
T number(Int i, Int j) {
  const auto re = static_cast<double>((3 * i + 5 * j) % 7 - 3) / 4, im = static_cast<double>((i + 2 * j) % 5 - 2) / 4;
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(re);
  else
    return T(static_cast<typename T::value_type>(re), static_cast<typename T::value_type>(im));
}
template <class T>
T conjugated(T x, bool yes) {
  if constexpr (std::is_floating_point_v<T>)
    return x;
  else
    return yes ? std::conj(x) : x;
}

template <class T>
struct Matrix {
  Matrix(Int rows, Int cols, Order order) {
    view = {nullptr, rows, cols, (order == Order::col ? rows : cols) + 1, order};
    memory.assign(static_cast<std::size_t>(view.ld * (order == Order::col ? cols : rows) + 1), T(99));
    view.data = memory.data();
  }
  MatrixView<const T> constant() const { return {view.data, view.rows, view.cols, view.ld, view.order}; }
  std::vector<T> memory;
  MatrixView<T> view;
};

// Of the other triangle, and of a unit diagonal, all elements are not a number.
template <class T>
Matrix<T> triangle(Int n, Uplo shape, Diag diag, Order order) {
  using Real = decltype(std::real(T()));
  const T none = std::numeric_limits<Real>::quiet_NaN();
  Matrix<T> A(n, n, order);
  for (Int j = 0; j < n; ++j)
    for (Int i = 0; i < n; ++i)
      A.view(i, j) = i == j                ? (diag == Diag::unit ? none : T(static_cast<Real>(2)))
                     : counts(shape, i, j) ? number<T>(i, j) / static_cast<Real>(n)
                                           : none;
  return A;
}

template <class T>
void expect_solved(Side side, Uplo shape, Diag diag, Order a, Order c, bool conjugate, Int n, Int others) {
  using Real = decltype(std::real(T()));
  const bool left = side == Side::left;
  const Matrix<T> A = triangle<T>(n, shape, diag, a);
  Matrix<T> X(left ? n : others, left ? others : n, c);
  for (Int j = 0; j < X.view.cols; ++j)
    for (Int i = 0; i < X.view.rows; ++i) X.view(i, j) = number<T>(i, j);
  local_trsm<T>(side, shape, diag, A.constant(), conjugate, X.view);
  const auto element = [&](Int i, Int j) {
    if (!counts(shape, i, j)) return T(0);
    return i == j && diag == Diag::unit ? T(1) : conjugated(A.view(i, j), conjugate);
  };
  const Real most = 20 * static_cast<Real>(n) * std::numeric_limits<Real>::epsilon();
  for (Int j = 0; j < X.view.cols; ++j)
    for (Int i = 0; i < X.view.rows; ++i) {
      T product = 0;
      for (Int l = 0; l < n; ++l) product += left ? element(i, l) * X.view(l, j) : X.view(i, l) * element(l, j);
      ASSERT_LE(std::abs(product - number<T>(i, j)), most) << n << " x " << others << " at " << i << ", " << j;
    }
}

TYPED_TEST(Triangles, AreSolvedWithWhateverTheirOrder) {
  using T = TypeParam;
  for (auto [n, others] : {std::array<Int, 2>{1, 3}, {32, 40}, {33, 40}, {70, 33}, {70, 2}, {131, 40}})
    for (Side side : {Side::left, Side::right})
      for (Uplo shape : {Uplo::lower, Uplo::upper})
        for (Diag diag : {Diag::stored, Diag::unit})
          for (Order a : {Order::col, Order::row})
            for (bool conjugate : {false, true})
              expect_solved<T>(side, shape, diag, a, Order::col, conjugate, n, others);
}

TYPED_TEST(Triangles, AreSolvedWithByRows) {
  using T = TypeParam;
  for (Side side : {Side::left, Side::right})
    for (Uplo shape : {Uplo::lower, Uplo::upper})
      for (Order a : {Order::col, Order::row})
        for (bool conjugate : {false, true})
          expect_solved<T>(side, shape, Diag::stored, a, Order::row, conjugate, 70, 40);
}

}  // namespace
}  // namespace cairn
