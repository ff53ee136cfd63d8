// Functions of block-sparse matrices whose eigenvalues are known.
#include "cairn/matrix_functions.hpp"

#include <gtest/gtest.h>

#include "eigenproblem.hpp"

namespace cairn {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

template <class T>
class MatrixFunction : public ::testing::Test {
 public:
  static constexpr std::size_t n = 31, low = 13;
  const Eigenproblem<T> problem{sizes_of(n), with_gap(n, low)};
  FunctionOptions exact = {.eps = 0};

  template <class F>
  void on_ranks(F f) const {
    on_some(
        [&](const Comm& comm) { f(sparse(comm, problem.blocks, problem.H), sparse(comm, problem.blocks, problem.S)); });
  }
};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(MatrixFunction, Types);

TYPED_TEST(MatrixFunction, InverseIsThatOfTheDenseMatrix) {
  this->on_ranks([&](const auto&, const auto& S) {
    for (int order : {2, 3, 7}) {
      this->exact.order = order;
      const auto found = inverse(S, this->exact);
      EXPECT_LT(largest_difference(found.value, this->problem.C * adjoint(this->problem.C)), rounding<TypeParam>);
      EXPECT_EQ(found.iterations.front().products, order);
    }
  });
}

TYPED_TEST(MatrixFunction, InverseSquareRootTakesSToOne) {
  this->on_ranks([&](const auto&, const auto& S) {
    for (int order : {2, 4}) {
      this->exact.order = order;
      const BlockSparse<TypeParam> Z = inverse_sqrt(S, this->exact).value;
      BlockSparse<TypeParam> ZS = Z, ZSZ = Z;
      multiply(Op::none, Op::none, TypeParam(1), Z, S, TypeParam(0), ZS);
      multiply(Op::none, Op::none, TypeParam(1), ZS, Z, TypeParam(0), ZSZ);
      EXPECT_LT(largest_difference(ZSZ, diagonal<TypeParam>(std::vector<double>(this->n, 1))), rounding<TypeParam>);
    }
  });
}

TYPED_TEST(MatrixFunction, SignHasTheEigenvectorsAndTheSigns) {
  // S⁻¹H = R⁻¹·E·R
  const auto& p = this->problem;
  std::vector<double> signs;
  for (double e : p.energies) signs.push_back(e < 0 ? -1 : 1);
  const Square<TypeParam> A = p.C * diagonal<TypeParam>(p.energies) * p.R,
                          expected = p.C * diagonal<TypeParam>(signs) * p.R;
  on_some([&](const Comm& comm) {
    for (int order : {2, 3, 5}) {
      this->exact.order = order;
      EXPECT_LT(largest_difference(sign(sparse(comm, p.blocks, A), this->exact).value, expected), rounding<TypeParam>);
    }
  });
}

TYPED_TEST(MatrixFunction, DensityIsThatOfTheEigenvectors) {
  const auto& p = this->problem;
  const Square<TypeParam> expected = p.density(-0.2);
  double energy = 0;
  for (double e : p.energies) energy += e < 0 ? 2 * e : 0;
  const Int electrons = 2 * static_cast<Int>(this->low);
  this->on_ranks([&](const auto& H, const auto& S) {
    const auto expect_found = [&](const DensityMatrix<TypeParam>& d) {
      EXPECT_LT(largest_difference(d.P, expected), rounding<TypeParam>) << name_of(d.method);
      EXPECT_NEAR(d.electrons, static_cast<double>(electrons), rounding<TypeParam>) << name_of(d.method);
      EXPECT_NEAR(d.band_energy, energy, 30 * rounding<TypeParam>) << name_of(d.method);
      EXPECT_GT(d.chemical_potential, -0.4);
      EXPECT_LT(d.chemical_potential, 0.1);
    };
    DensityOptions options;
    options.eps = 0;
    for (DensityMethod method : {DensityMethod::sign, DensityMethod::mcweeny, DensityMethod::trs4}) {
      options.method = method;
      expect_found(density_matrix(H, S, Electrons{electrons}, options));
      if (method != DensityMethod::trs4) expect_found(density_matrix(H, S, ChemicalPotential{-0.2}, options));
    }
    const auto elsewhere = H.redistributed(BlockDistribution::dealt(
        static_cast<Int>(p.blocks.size()), static_cast<Int>(p.blocks.size()), 1, S.comm().size()));
    options.method.reset();
    expect_found(density_matrix(elsewhere, S, Electrons{electrons}, options));
  });
}

// One whose eigenvectors are far from orthogonal: iterates grow to 2·skew/1.1 in the corner before they converge.
TEST(MatrixFunctions, SignOfAMatrixThatIsFarFromNormalIsFound) {
  on_some([&](const Comm& comm) {
    for (double skew : {5.0, 30.0, 1e4, 1e6})
      for (int order : {2, 3, 7}) {
        Square<double> A(2), expected(2);
        A(0, 0) = 1, A(0, 1) = skew, A(1, 1) = -0.1;
        expected(0, 0) = 1, expected(0, 1) = 2 * skew / 1.1, expected(1, 1) = -1;
        const BlockSparse<double> found = sign(sparse(comm, {1, 1}, A), {.eps = 0, .order = order}).value;
        EXPECT_LT(largest_difference(found, expected), rounding<double> * skew) << skew << ' ' << order;
      }
  });
}

TEST(MatrixFunctions, OfNumbersWhoseSquaresOverflowAreFound) {
  on_some([&](const Comm& comm) {
    for (double size : {1e-300, 1e-200, 1e200, 1e308, 1.7e308}) {
      const auto A = sparse(comm, {1, 2}, diagonal<double>({size, -size, size}));
      for (const auto& X : {A, A.stored_as(Symmetry::symmetric)})
        EXPECT_LT(largest_difference(sign(X).value.expanded(), diagonal<double>({1, -1, 1})), 1e-6) << size;
      EXPECT_NEAR(size * inverse(sparse(comm, {1}, diagonal<double>({size}))).value.norm(Norm::max), 1, 1e-6);
      Square<double> S = diagonal<double>({size, size});
      S(0, 1) = S(1, 0) = size / 2;  // sums of rows overflow
      const double root = inverse_sqrt(sparse(comm, {1, 1}, S)).value.norm(Norm::frobenius);
      EXPECT_NEAR(root * std::sqrt(size), std::sqrt(1 / 1.5 + 1 / 0.5), 1e-6) << size;
    }
  });
}

// Whose inverses overflow, and have fewer digits.
TEST(MatrixFunctions, OfNumbersThatAreTooSmallToBeNormalAreFound) {
  on_some([&](const Comm& comm) {
    const auto A = sparse(comm, {1, 1, 1}, diagonal<double>({1e-309, -2e-309, 3e-309}));
    for (const auto& X : {A, A.stored_as(Symmetry::symmetric)})
      EXPECT_LT(largest_difference(sign(X).value.expanded(), diagonal<double>({1, -1, 1})), 1e-6);
    const auto S = sparse(comm, {1, 1}, diagonal<double>({0x1p-1040, 0x1p-1038}));
    EXPECT_LT(largest_difference(inverse_sqrt(S).value, diagonal<double>({0x1p520, 0x1p519})), 0x1p500);
    testing::expect_refused_alike<ConvergenceError>(
        comm, [&] { inverse(S); }, "S: elements of the result are infinite");
    EXPECT_LT(largest_difference(inverse(sparse(comm, {1}, diagonal<double>({0x1p-1023}))).value,
                                 diagonal<double>({0x1p1023})),
              0x1p1003);
    const auto H = sparse(comm, {1, 1}, diagonal<double>({-0x1p-1040, 0x1p-1040})),
               one = sparse(comm, {1, 1}, diagonal<double>({1, 1}));
    EXPECT_LT(largest_difference(density_matrix(H, one, Electrons{2}).P, diagonal<double>({2, 0})), 1e-6);
  });
}

TEST(MatrixFunctions, AZeroMatrixHasNoInverse) {
  on_some([&](const Comm& comm) {
    for (const auto& S :
         {sparse(comm, {2, 1}, diagonal<double>({0, 0, 0})), BlockSparse<double>(comm, {2, 1}, {2, 1})}) {
      testing::expect_refused_alike<ConvergenceError>(
          comm, [&] { inverse(S); }, "inverse: S is zero, expected S to be positive definite");
      testing::expect_refused_alike<ConvergenceError>(
          comm, [&] { inverse_sqrt(S); }, "inverse square root: S is zero, expected S to be positive definite");
    }
  });
}

// In blocks of one element.
BlockSparse<double> of_diagonal(const Comm& comm, const std::vector<double>& values) {
  const BlockSizes sizes(values.size(), 1);
  BlockSparse<double> A(comm, sizes, sizes, Symmetry::symmetric);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const auto at = static_cast<BlockIndex>(i); A.here(at, at)) A.put(at, at, &values[i]);
  return A;
}

// The mean of all errors is below eps long before that of a small eigenvalue among many.
TEST(MatrixFunctions, OneEigenvalueOfManyIsNotLost) {
  constexpr std::size_t n = 2000;
  constexpr double close = 1.0 / 16;
  std::vector<double> values(n, 1), energies(n, 1);
  values.back() = 0.01;
  for (std::size_t i = 0; i < n / 2; ++i) energies[i] = -1;
  energies.front() = -0.02, energies.back() = 0.02;
  on_some([&](const Comm& comm) {
    const BlockSparse<double> A = of_diagonal(comm, values), H = of_diagonal(comm, energies),
                              S = of_diagonal(comm, std::vector<double>(n, 1));
    const FunctionOptions options{.eps = 1e-3};
    EXPECT_NEAR(inverse(A, options).value.norm(Norm::max), 100, 100 * close);
    EXPECT_NEAR(inverse_sqrt(A, options).value.norm(Norm::max), 10, 10 * close);
    EXPECT_NEAR(sign(A, options).value.trace(), n, close);
    for (DensityMethod method : {DensityMethod::trs4, DensityMethod::sign, DensityMethod::mcweeny}) {
      const auto found = density_matrix(H, S, Electrons{n}, {options, method});
      EXPECT_NEAR(found.band_energy, -2.0 * (n / 2 - 1) - 0.04, 1e-5) << name_of(method);
      EXPECT_NEAR(found.electrons, n, 1e-4) << name_of(method);
    }
  });
}

// S = Q·D·Q and H = Q·D·E·Q, where Q reflects and D goes from 1 to 1e-6.
TEST(MatrixFunctions, AreAsExactAsTheConditionOfSAllows) {
  constexpr std::size_t n = 24, low = 12;
  constexpr double condition = 1e6;
  std::vector<double> D, inverted, both;
  const std::vector<double> energies = with_gap(n, low);
  Square<double> Q = diagonal<double>(std::vector<double>(n, 1));
  for (std::size_t i = 0; i < n; ++i) {
    D.push_back(std::pow(condition, -static_cast<double>(i) / (n - 1)));
    inverted.push_back(1 / D.back()), both.push_back(D.back() * energies[i]);
    for (std::size_t j = 0; j < n; ++j) Q(i, j) -= 2.0 / n;
  }
  on_some([&](const Comm& comm) {
    const BlockSizes sizes(n / 2, 2);
    const BlockSparse<double> S = sparse(comm, sizes, Q * diagonal<double>(D) * Q),
                              H = sparse(comm, sizes, Q * diagonal<double>(both) * Q);
    EXPECT_LT(largest_difference(inverse(S, {.eps = 0}).value, Q * diagonal<double>(inverted) * Q),
              rounding<double> * condition * condition);
    for (DensityMethod method : {DensityMethod::trs4, DensityMethod::sign})
      EXPECT_NEAR(density_matrix(H, S, Electrons{2 * low}, {{.eps = 1e-14}, method}).electrons, 2 * low,
                  rounding<double> * condition / 100)
          << name_of(method);
  });
}

TEST(MatrixFunctions, AWatchThatThrowsOnOneRankEndsTheIterationOnAll) {
  struct Enough {};
  const Comm world = Comm::world();
  const Eigenproblem<double> p(sizes_of(9), with_gap(9, 4));
  const auto S = sparse(world, p.blocks, p.S);
  const int thrower = std::min(1, world.size() - 1);
  FunctionOptions options;
  if (world.rank() == thrower) options.watch = [](const Iteration& i) { i.number == 2 ? throw Enough() : void(); };
  if (world.rank() == thrower)
    EXPECT_THROW(inverse(S, options), Enough);
  else
    EXPECT_THROW(inverse(S, options), RuntimeError);
  if (world.rank() == thrower) options.watch = [](const Iteration&) { throw std::logic_error("seen enough"); };
  try {
    inverse(S, options);
    ADD_FAILURE();
  } catch (const std::logic_error& e) {
    EXPECT_EQ(world.rank(), thrower);
  } catch (const RuntimeError& e) {
    EXPECT_EQ(e.what(), "watch: seen enough (rank " + std::to_string(thrower) + ")");
  }
  options.watch = {};
  EXPECT_LT(inverse(S, options).iterations.back().residual, 1e-3);  // and works again
}
}  // namespace
}  // namespace cairn
