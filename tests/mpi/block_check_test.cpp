// Freivalds' test of block-sparse products accepts what rounding and filters explain, and finds what they do not.
#include "cairn/block_check.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "block_grids.hpp"
#include "cairn/error.hpp"
#include "distributed.hpp"
#include "symmetric_blocks.hpp"

namespace cairn {
namespace {

using testing::some_sizes;

constexpr Int m = 12, n = 14, k = 11;  // blocks

template <class T>
BlockSparse<T> matrix(const Comm& comm, Op op, Int rows, Int cols, std::uint64_t seed) {
  BlockSizes r = some_sizes(rows, static_cast<std::uint64_t>(rows)),
             c = some_sizes(cols, static_cast<std::uint64_t>(cols));
  if (op != Op::none) std::swap(r, c), std::swap(rows, cols);
  // A and C in rows, B in columns.
  const Int pr = seed % 2 == 0 ? 1 : comm.size();
  return testing::distributed(comm, testing::some_blocks<T>(r, c, 40, seed),
                              BlockDistribution::dealt(rows, cols, pr, comm.size() / pr));
}

template <class T>
class BlockCheckOf : public ::testing::Test {
 protected:
  Comm comm = Comm::world();
  T alpha = T(1) / T(3);
};
using AllTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(BlockCheckOf, AllTypes);

TYPED_TEST(BlockCheckOf, AcceptsProductsWithEveryOp) {
  using T = TypeParam;
  for (Op op_a : {Op::none, Op::transpose, Op::adjoint})
    for (Op op_b : {Op::none, Op::transpose, Op::adjoint})
      for (T beta : {T(0), T(-0.7)}) {
        const auto A = matrix<T>(this->comm, op_a, m, k, 1), B = matrix<T>(this->comm, op_b, k, n, 2);
        const auto before = matrix<T>(this->comm, Op::none, m, n, 3);
        auto C = before;
        multiply(op_a, op_b, this->alpha, A, B, beta, C);
        const CheckResult found = freivalds<T>(op_a, op_b, this->alpha, A, B, beta, &before, C);
        EXPECT_TRUE(found.passed()) << found.ratio;
        EXPECT_GT(found.ratio, 0);
        EXPECT_EQ(found.rounds, 8);
        if (beta == T(0)) continue;
        EXPECT_FALSE(freivalds<T>(op_a, op_b, this->alpha, A, B, T(0), nullptr, C).passed()) << "C before is missed";
      }
}

TYPED_TEST(BlockCheckOf, AcceptsMatricesThatStoreHalfOfTheirBlocks) {
  using T = TypeParam;
  const BlockSizes sizes = some_sizes(m, 4);
  const BlockDistribution where = BlockDistribution::dealt(m, m, this->comm.size());
  for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::antisymmetric, Symmetry::hermitian}) {
    const auto A = testing::distributed(
        this->comm, testing::upper(testing::some_symmetric_blocks<T>(symmetry, sizes, 40, 5)), where, symmetry);
    const auto B = testing::distributed(this->comm, testing::some_blocks<T>(sizes, sizes, 40, 6), where);
    for (Op op : {Op::none, Op::transpose, Op::adjoint}) {
      BlockSparse<T> C(this->comm, sizes, sizes, where);
      multiply(op, Op::none, this->alpha, A, B, T(0), C);
      EXPECT_TRUE(freivalds<T>(op, Op::none, this->alpha, A, B, T(0), nullptr, C).passed());
      multiply(Op::none, op, this->alpha, B, A, T(0), C);
      EXPECT_TRUE(freivalds<T>(Op::none, op, this->alpha, B, A, T(0), nullptr, C).passed());
    }
    // X² of an antisymmetric X is symmetric.
    BlockSparse<T> square(this->comm, sizes, sizes, where,
                          symmetry == Symmetry::antisymmetric ? Symmetry::symmetric : symmetry);
    multiply(Op::none, Op::none, this->alpha, A, A, T(0), square);
    EXPECT_TRUE(freivalds<T>(Op::none, Op::none, this->alpha, A, A, T(0), nullptr, square).passed());
  }
}

TYPED_TEST(BlockCheckOf, KnowsWhatAFilterMayLeaveOut) {
  using T = TypeParam;
  const auto A = matrix<T>(this->comm, Op::none, m, k, 1), B = matrix<T>(this->comm, Op::none, k, n, 2);
  BlockSparse<T> whole(this->comm, A.rows(), B.cols());
  multiply(Op::none, Op::none, this->alpha, A, B, T(0), whole);
  for (double eps : {5.0, 20.0}) {
    BlockSparse<T> C(this->comm, A.rows(), B.cols());
    multiply(Op::none, Op::none, this->alpha, A, B, T(0), C, {.filter_eps = eps});
    ASSERT_LT(C.blocks(), whole.blocks());
    const CheckResult found = freivalds<T>(Op::none, Op::none, this->alpha, A, B, T(0), nullptr, C, eps);
    EXPECT_TRUE(found.passed());
    EXPECT_GT(found.ratio, 0.01) << "far from what is allowed";
    EXPECT_FALSE(freivalds<T>(Op::none, Op::none, this->alpha, A, B, T(0), nullptr, C).passed());
  }
}

TYPED_TEST(BlockCheckOf, FindsOneWrongElementAndOneBlockOfZeros) {
  using T = TypeParam;
  const auto A = matrix<T>(this->comm, Op::none, m, k, 1), B = matrix<T>(this->comm, Op::none, k, n, 2);
  BlockSparse<T> C(this->comm, A.rows(), B.cols());
  multiply(Op::none, Op::none, this->alpha, A, B, T(0), C);
  const auto passes = [&](const BlockSparse<T>& X) {
    return freivalds<T>(Op::none, Op::none, this->alpha, A, B, T(0), nullptr, X, 1e-4).passed();
  };
  ASSERT_TRUE(passes(C));
  const bool mine = C.local().blocks() > 0 && this->comm.rank() == this->comm.size() - 1;
  auto wrong = C;
  if (mine) (*wrong.begin()).values(0, 0) += T(1);
  EXPECT_FALSE(passes(wrong));
  auto zeroed = C;
  if (mine) {
    const StoredBlock<T> first = *C.begin();
    const std::vector<T> zeros(static_cast<std::size_t>(first.values.rows * first.values.cols), T(0));
    zeroed.put(first.row, first.col, zeros.data());
  }
  EXPECT_FALSE(passes(zeroed));
}

TEST(BlockCheck, HasNoComplaintAboutNothing) {
  const Comm comm = Comm::world();
  const BlockSparse<double> A(comm, {}, {3, 2}), B(comm, {3, 2}, {}), C(comm, {}, {});
  EXPECT_EQ(freivalds<double>(Op::none, Op::none, 1.0, A, B, 0.0, nullptr, C).ratio, 0);
  const BlockSparse<double> D(comm, {3, 2}, {3, 2});
  EXPECT_EQ(freivalds<double>(Op::transpose, Op::none, 1.0, A, A, 0.0, nullptr, D, 0.5).ratio, 0);
}

TEST(BlockCheck, FindsNumbersThatAreNotFinite) {
  const Comm comm = Comm::world();
  BlockSparse<double> A(comm, {2}, {2}), C(comm, {2}, {2});
  const double nan = std::numeric_limits<double>::quiet_NaN(), block[] = {1, 0, nan, 1};
  if (C.here(0, 0)) C.put(0, 0, block);
  EXPECT_TRUE(std::isnan(freivalds<double>(Op::none, Op::none, 1.0, A, A, 0.0, nullptr, C).ratio));
}

TEST(BlockCheck, RefusesOnEveryRank) {
  const Comm comm = Comm::world();
  const BlockSparse<double> A(comm, {2, 3}, {4}), B(comm, {4}, {1, 1}), C(comm, {2, 3}, {1, 1});
  const auto refused = [&](const std::string& part, const BlockSparse<double>& a, const BlockSparse<double>& b,
                           double beta, const BlockSparse<double>* before, double eps = 0) {
    testing::expect_refused_alike(
        comm, [&] { freivalds<double>(Op::none, Op::none, 1.0, a, b, beta, before, C, eps); }, part);
  };
  refused("B: 5 x 4, expected 4 x 2", A, A, 0, nullptr);
  refused("A: 4 x 2, expected 5 x 2", B, A, 0, nullptr);
  refused("C0: null, expected a matrix, as beta is not 0", A, B, 1, nullptr);
  refused("C0: 5 x 4, expected 5 x 2", A, B, 1, &A);
  refused("filter_eps: -1, expected 0 or more", A, B, 0, nullptr, -1);
  refused("filter_eps: nan, expected 0 or more", A, B, 0, nullptr, std::numeric_limits<double>::quiet_NaN());
  if (comm.size() == 1) return;
  refused("expected the same on all ranks", A, B, 0, nullptr, comm.rank() == 0 ? 0.5 : 0.25);
  refused("expected the same on all ranks", A, B, comm.rank() == 0 ? 1 : 0, &C);
  const testing::Reversed reversed;
  const BlockSparse<double> turned(Comm(reversed.raw), {4}, {1, 1});
  refused("B: on other ranks than C, or in another order", A, turned, 0, nullptr);
}

}  // namespace
}  // namespace cairn
