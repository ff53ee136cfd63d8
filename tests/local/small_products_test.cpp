#include "local/sparse/small_products.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <limits>

#include "blocks.hpp"

namespace cairn {
namespace {

template <class T>
struct SmallProductsOf : ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SmallProductsOf, Types);

TYPED_TEST(SmallProductsOf, AnySizesAddTheProductOrSetItUnread) {
  using T = TypeParam;
  testing::Random random(1);
  SmallProducts<T> small;
  const BlockIndex sizes[] = {0, 1, 5, 6, 23, 64, 65, 129};  // code is made for up to 64 rows and 128 columns
  for (BlockIndex m : sizes)
    for (BlockIndex n : sizes)
      for (BlockIndex k : sizes) {
        testing::Dense<T> A(m, k), B(k, n), C(m, n);
        for (auto* matrix : {&A, &B, &C})
          for (T& x : matrix->values) x = testing::random_number<T>(random);
        auto want = C;
        for (int twice = 0; twice < 2; ++twice) {  // the second time it is known
          testing::add_product(T(1), A, B, want);
          small.of(m, k)(n, A.values.data(), B.values.data(), C.values.data());
          ASSERT_EQ(C.values, want.values) << m << " x " << n << " x " << k;
        }
        want = testing::Dense<T>(m, n);
        testing::add_product(T(1), A, B, want);
        for (int twice = 0; twice < 2; ++twice) {
          C.values.assign(C.values.size(), T(std::numeric_limits<float>::quiet_NaN()));
          small.of(m, k)(n, A.values.data(), B.values.data(), C.values.data(), Update::overwrite);
          ASSERT_EQ(C.values, want.values) << m << " x " << n << " x " << k;
        }
      }
}

TYPED_TEST(SmallProductsOf, LeaveGapsBetweenColumnsOfCAlone) {
  using T = TypeParam;
  testing::Random random(2);
  SmallProducts<T> small;
  for (BlockIndex m : {1, 16, 23, 64, 65}) {
    const BlockIndex k = 13, n = 9, ld = m + 3;
    testing::Dense<T> A(m, k), B(k, n), C(ld, n), sum(m, n);
    for (auto* matrix : {&A, &B, &C})
      for (T& x : matrix->values) x = testing::random_number<T>(random);
    auto want = C;
    testing::add_product(T(1), A, B, sum);
    for (BlockIndex j = 0; j < n; ++j)
      for (BlockIndex i = 0; i < m; ++i) want(i, j) += sum(i, j);
    small.of(m, k, ld)(n, A.values.data(), B.values.data(), C.values.data());
    ASSERT_EQ(C.values, want.values) << m;
    for (BlockIndex j = 0; j < n; ++j)
      for (BlockIndex i = 0; i < m; ++i) want(i, j) = sum(i, j);
    small.of(m, k, ld)(n, A.values.data(), B.values.data(), C.values.data(), Update::overwrite);
    ASSERT_EQ(C.values, want.values) << m;
  }
}

}  // namespace
}  // namespace cairn
