// Freivalds' test accepts what rounding explains, in every type, op and layout, and finds what it does not.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <limits>
#include <optional>

#include "base/scalars.hpp"
#include "cairn/check.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "distributed.hpp"
#include "refusal.hpp"

namespace cairn {

namespace {

template <class T>
T number(Int i, Int j, int seed) {
  const double a = std::sin(static_cast<double>(7 * i + 13 * j * (seed + 2) + seed)),
               b = std::cos(static_cast<double>(i - 5 * j + seed));
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(a);
  else
    return T(static_cast<typename T::value_type>(a), static_cast<typename T::value_type>(b));
}

/// Element (i, j) of op of the matrix with that seed.
template <class T>
T op_number(Op op, Int i, Int j, int seed) {
  if (op == Op::none) return number<T>(i, j, seed);
  return op == Op::transpose ? number<T>(j, i, seed) : conjugated(number<T>(j, i, seed));
}

/// A product whose local dot products are in the precision of T, as a gemm's are.
template <class T>
struct Product {
  Int m = 37, n = 29, k = 23;
  Op op_a = Op::none, op_b = Op::none;
  T alpha = T(1), beta = T(0);
  Comm comm = Comm::world();
  std::optional<DistMatrix<T>> A, B, C0, C;

  Product(Op a, Op b, T al, T be) : op_a(a), op_b(b), alpha(al), beta(be) {
    const int rank = comm.rank(), ranks = comm.size();
    const Int ma = a == Op::none ? m : k, na = a == Op::none ? k : m, mb = b == Op::none ? k : n,
              nb = b == Op::none ? n : k;
    const Int pr = ranks % 2 == 0 ? 2 : 1;
    A = DistMatrix<T>::own(Layout::block_cyclic(ma, na, {.mb = 4, .nb = 3, .pr = pr, .pc = ranks / pr}), rank);
    Layout copies = Layout::on_one_rank(mb, nb, Order::row);
    copies.grid = Grid({{"r", pr}, {"c", ranks / pr}});
    copies.cols.cuts = {Cut::even(copies.grid, 1)};
    B = DistMatrix<T>::own(copies, rank);
    C0 = DistMatrix<T>::own(Layout::on_one_rank(m, n), rank);
    Layout::Blocks blocks{{0, 10, m}, {0, 11, n}, {ranks - 1, 0, ranks / 2, 0}, true};
    C = DistMatrix<T>::own(Layout::arbitrary(m, n, ranks, blocks, Order::row), rank);
    A->for_each([](Int i, Int j, T& x) { x = number<T>(i, j, 1); });
    B->for_each([](Int i, Int j, T& x) { x = number<T>(i, j, 2); });
    C0->for_each([](Int i, Int j, T& x) { x = number<T>(i, j, 3); });
    C->for_each([&](Int i, Int j, T& x) {
      T sum(0);
      for (Int l = 0; l < k; ++l) sum += op_number<T>(op_a, i, l, 1) * op_number<T>(op_b, l, j, 2);
      x = alpha * sum + beta * number<T>(i, j, 3);
    });
  }
  CheckResult check(int rounds = 8) const {
    return freivalds<T>(comm, op_a, op_b, alpha, *A, *B, beta, beta == T(0) ? nullptr : &*C0, *C, rounds);
  }
};

template <class T>
class FreivaldsOfType : public ::testing::Test {};
using AllTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(FreivaldsOfType, AllTypes);

TYPED_TEST(FreivaldsOfType, AcceptsRoundingErrorsInEveryOp) {
  using T = TypeParam;
  for (Op a : {Op::none, Op::transpose, Op::adjoint})
    for (Op b : {Op::none, Op::transpose, Op::adjoint})
      for (T beta : {T(0), T(-0.75)}) {
        const CheckResult result = Product<T>(a, b, T(1.25), beta).check();
        EXPECT_TRUE(result.passed()) << result.ratio;
        EXPECT_EQ(result.rounds, 8);
      }
}

TYPED_TEST(FreivaldsOfType, FindsASingleWrongElementWhereverItIs) {
  using T = TypeParam;
  const Product<T> p(Op::none, Op::transpose, T(1), T(0));
  // Thresholds are about k·u·|A||B|1, here 23·29·23·u: 2e5 eps = 4e5·u is beyond twice that.
  const T error =
      T(static_cast<decltype(std::abs(T()))>(2e5) * std::numeric_limits<decltype(std::abs(T()))>::epsilon());
  for (Int row : {0, 17, 36})
    for (Int col : {0, 11, 28}) {
      const auto add = [&](T by) {
        p.C->for_each([&](Int i, Int j, T& x) {
          if (i == row && j == col) x += by;
        });
      };
      add(error);
      EXPECT_FALSE(p.check(1).passed());
      add(-error);
      EXPECT_TRUE(p.check(1).passed());
    }
}

TEST(Freivalds, FindsErrorsThatCancelInARow) {
  const Product<double> p(Op::none, Op::none, 1, 0);
  p.C->for_each([](Int i, Int j, double& x) {
    if (i == 5 && j == 3) x += 1e-3;
    if (i == 5 && j == 20) x -= 1e-3;
  });
  EXPECT_FALSE(p.check().passed());
}

// In these layouts ranks share some elements, or nobody has them.
TEST(Freivalds, RefusesMatricesWhoseElementsAreNotEachOnOneRank) {
  const Comm world = Comm::world();
  const Int p = world.size(), n = 4 * p;
  const auto on = [&](Cut cut) {
    Layout l = Layout::row_blocks(n, n, p);
    l.rows.cuts = {std::move(cut)};
    return DistMatrix<double>::own(l, world.rank());
  };
  const Affine rank = Affine::along(0);
  const auto whole = on(Cut::numbered(rank, p));
  const auto check = [&](const DistMatrix<double>& A, const DistMatrix<double>& C) {
    return testing::refusal([&] { freivalds<double>(world, Op::none, Op::none, 1, A, whole, 0, nullptr, C, 1); });
  };
  EXPECT_EQ(check(whole, whole), "accepted");
  const Int all = n * n;
  const auto refused = [&](const DistMatrix<double>& x, Int words, const char* more) {
    const std::string said =
        fmt::format(": ranks hold {} of {} elements{}, expected each of them once", words, all, more);
    EXPECT_NE(check(whole, x).find("C" + said), std::string::npos) << check(whole, x);
    EXPECT_NE(check(x, whole).find("A" + said), std::string::npos) << check(x, whole);
  };
  refused(on(Cut::span(rank, p, 2)), 2 * all, ", some several times");
  refused(on(Cut::span(rank, 2 * p, 2)), all, ", some several times");
  refused(on(Cut::numbered(rank, p / 2)), 2 * all, ", some several times");
  refused(on(Cut::group(rank, p, 2)), 2 * all, ", some several times");
  refused(on(Cut::numbered(rank, 2 * p)), all / 2, "");
  refused(on(Cut::numbered(2 * rank, p)), all, ", some several times");  // and others by nobody
}

TEST(Freivalds, FindsAForgottenBetaAWrongOpAndAMissingTerm) {
  Product<std::complex<double>> p(Op::transpose, Op::none, 1, 0.5);
  EXPECT_TRUE(p.check().passed());
  p.op_a = Op::adjoint;
  EXPECT_FALSE(p.check().passed());
  p.op_a = Op::transpose;
  p.beta = 0;
  EXPECT_FALSE(p.check().passed());
}

TEST(Freivalds, NumbersThatAreNotFiniteNeverPass) {
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const Product<double> p(Op::none, Op::none, 1, 0);
    p.C->for_each([&](Int i, Int j, double& x) {
      if (i == 30 && j == 3) x = bad;
    });
    EXPECT_FALSE(p.check().passed());
  }
}

TEST(Freivalds, SumsThatOverflowHideNothing) {
  const Comm world = Comm::world();
  const auto filled = [&](Int m, Int n, const auto& element) {
    auto X = DistMatrix<double>::own(Layout::on_one_rank(m, n), world.rank());
    X.for_each([&](Int i, Int j, double& x) { x = element(i, j); });
    return X;
  };
  const auto all = [&](Int m, Int n, double value) { return filled(m, n, [&](Int, Int) { return value; }); };
  const auto passed = [&](const DistMatrix<double>& A, const DistMatrix<double>& B, const DistMatrix<double>& C) {
    return freivalds<double>(world, Op::none, Op::none, 1, A, B, 0, nullptr, C).passed();
  };
  const auto signs = filled(2, 1, [](Int i, Int) { return i == 0 ? 1.0 : -1.0; });
  EXPECT_TRUE(passed(all(1, 2, 1e308), signs, all(1, 1, 0)));
  EXPECT_FALSE(passed(all(1, 2, 1e308), signs, all(1, 1, 1e300)));
  EXPECT_TRUE(passed(all(1, 1, 1), all(1, 400, 1e308), all(1, 400, 1e308)));
  EXPECT_FALSE(passed(all(1, 1, 1), all(1, 400, 1e308), all(1, 400, 1.0001e308)));
}

TEST(Freivalds, RanksWithOtherElementsOrLayoutsAreRefused) {
  const Comm world = Comm::world();
  const bool first = world.rank() == 0;
  const Int n = world.size();
  const auto test = [&]<class T>(T, const Layout& layout) {
    const auto X = DistMatrix<T>::own(layout, world.rank());
    return testing::refusal([&] { freivalds<T>(world, Op::none, Op::none, T(1), X, X, T(0), nullptr, X); });
  };
  const Layout rows = Layout::row_blocks(n, n, n), cols = Layout::col_blocks(n, n, n);
  const std::string by_type = first ? test(1.0, rows) : test(std::complex<double>(1), rows);
  EXPECT_NE(by_type.find("elements float64"), std::string::npos) << by_type;
  const std::string by_layout = test(1.0, first ? rows : cols);
  EXPECT_NE(by_layout.find("the arguments"), std::string::npos) << by_layout;
}

TEST(Freivalds, AlphaZeroNeverLooksAtTheFactors) {
  const Product<double> p(Op::none, Op::none, 0, 0.5);
  p.A->for_each([](Int, Int, double& x) { x = std::numeric_limits<double>::quiet_NaN(); });
  EXPECT_TRUE(p.check().passed());
}

TEST(Freivalds, EmptyMatricesPass) {
  const Comm world = Comm::world();
  const auto make = [&](Int m, Int n) {
    return DistMatrix<double>::own(Layout::row_blocks(m, n, world.size()), world.rank());
  };
  EXPECT_TRUE(freivalds<double>(world, Op::none, Op::none, 1, make(4, 0), make(0, 3), 0, nullptr, make(4, 3)).passed());
  EXPECT_TRUE(freivalds<double>(world, Op::none, Op::none, 1, make(0, 3), make(3, 2), 0, nullptr, make(0, 2)).passed());
}

TEST(Freivalds, WrongSizesAreRefusedOnEveryRank) {
  const Comm world = Comm::world();
  const auto make = [&](Int m, Int n) {
    return DistMatrix<double>::own(Layout::row_blocks(m, n, world.size()), world.rank());
  };
  EXPECT_THROW(freivalds<double>(world, Op::none, Op::none, 1, make(4, 5), make(6, 3), 0, nullptr, make(4, 3)),
               ArgumentError);
  EXPECT_THROW(freivalds<double>(world, Op::none, Op::none, 1, make(4, 5), make(5, 3), 1, nullptr, make(4, 3)),
               ArgumentError);
}

TEST(Freivalds, PartsOfAnotherRankAreRefusedOnEveryRank) {
  const Comm world = Comm::world();
  const Layout rows = Layout::row_blocks(world.size(), world.size(), world.size());
  const auto own = DistMatrix<double>::own(rows, world.rank()), another = DistMatrix<double>::own(rows, 0);
  EXPECT_THROW(freivalds<double>(world, Op::none, Op::none, 1, own, own, 0, nullptr, another), ArgumentError);
}

TEST(Freivalds, ShortBuffersAreRefusedOnEveryRank) {
  const Comm world = Comm::world();
  const auto part = [&](Int words, double* data) {
    return DistMatrix<double>::borrow(Layout::row_blocks(world.size(), 3, world.size()), world.rank(), data, words);
  };
  const auto A = DistMatrix<double>::own(Layout::row_blocks(world.size(), world.size(), world.size()), world.rank());
  const auto B = DistMatrix<double>::own(Layout::row_blocks(world.size(), 3, world.size()), world.rank());
  const bool last = world.rank() == world.size() - 1;
  const auto test = [&](const DistMatrix<double>& C) {
    return freivalds<double>(world, Op::none, Op::none, 1, A, B, 0, nullptr, C);
  };
  EXPECT_TRUE(test(part(3, B.data())).passed());
  testing::expect_refused_alike(
      world, [&] { test(part(last ? 2 : 3, B.data())); }, "C: a buffer of 2 elements");
  testing::expect_refused_alike(
      world, [&] { test(part(3, last ? nullptr : B.data())); }, "C: null");
}

}  // namespace
}  // namespace cairn
