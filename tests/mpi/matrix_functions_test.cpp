// Functions of block-sparse matrices whose eigenvalues are known, since they were made of them.
#include "cairn/matrix_functions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "block_sparse.hpp"
#include "distributed.hpp"

namespace cairn {
namespace {

// A dense matrix of order n, by columns.
template <class T>
struct Dense {
  std::size_t n = 0;
  std::vector<T> x;
  explicit Dense(std::size_t order) : n(order), x(order * order) {}
  T& operator()(std::size_t i, std::size_t j) { return x[i + j * n]; }
  T operator()(std::size_t i, std::size_t j) const { return x[i + j * n]; }
};
template <class T>
Dense<T> operator*(const Dense<T>& A, const Dense<T>& B) {
  Dense<T> C(A.n);
  for (std::size_t j = 0; j < A.n; ++j)
    for (std::size_t k = 0; k < A.n; ++k)
      for (std::size_t i = 0; i < A.n; ++i) C(i, j) += A(i, k) * B(k, j);
  return C;
}
template <class T>
Dense<T> adjoint(const Dense<T>& A) {
  Dense<T> B(A.n);
  for (std::size_t j = 0; j < A.n; ++j)
    for (std::size_t i = 0; i < A.n; ++i) B(j, i) = conjugated(A(i, j));
  return B;
}
template <class T>
Dense<T> diagonal(const std::vector<double>& values) {
  Dense<T> D(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) D(i, i) = static_cast<T>(values[i]);
  return D;
}

// The problem H·c = E·S·c with S = RᴴR and H = RᴴER, so that R⁻¹ holds the eigenvectors. R is 1 and a little below.
template <class T>
struct Eigenproblem {
  BlockSizes blocks;
  std::vector<double> energies;
  Dense<T> R, C;
  Dense<T> S, H;

  Eigenproblem(BlockSizes sizes, std::vector<double> e)
      : blocks(std::move(sizes)),
        energies(std::move(e)),
        R(diagonal<T>(std::vector<double>(energies.size(), 1))),
        C(R),
        S(0),
        H(0) {
    const std::size_t n = R.n;
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = j + 1; i < std::min(n, j + 7); ++i) R(i, j) = T(0.05) * testing::small<T>(i * 1000 + j);
    for (std::size_t j = 0; j < n; ++j)  // C = R⁻¹, column by column
      for (std::size_t i = j + 1; i < n; ++i)
        for (std::size_t k = j; k < i; ++k) C(i, j) -= R(i, k) * C(k, j);
    S = adjoint(R) * R;
    H = adjoint(R) * diagonal<T>(energies) * R;
  }
  Dense<T> density(double mu) const {
    std::vector<double> occupied;
    for (double e : energies) occupied.push_back(e < mu ? 2 : 0);
    return C * diagonal<T>(occupied) * adjoint(C);
  }
};

// Energies of which `low` lie in [-1, -0.4], the others in [0.1, 1.1].
std::vector<double> with_gap(std::size_t n, std::size_t low) {
  std::vector<double> e;
  for (std::size_t i = 0; i < n; ++i) {
    const bool below = i * low / n < (i + 1) * low / n;
    const double x = static_cast<double>(testing::mixed(i) % 1000) / 1000;
    e.push_back(below ? -1 + 0.6 * x : 0.1 + x);
  }
  return e;
}

BlockSizes sizes_of(std::size_t n) {
  BlockSizes sizes{0};
  for (std::size_t left = n; left > 0;) {
    const auto size = std::min<std::size_t>(left, 1 + testing::mixed(left) % 5);
    sizes.push_back(static_cast<BlockIndex>(size)), left -= size;
  }
  return sizes;
}

template <class T>
BlockSparse<T> sparse(const Comm& comm, const BlockSizes& blocks, const Dense<T>& x) {
  BlockSparse<T> A(comm, blocks, blocks);
  std::vector<std::size_t> first{0};
  for (BlockIndex size : blocks) first.push_back(first.back() + static_cast<std::size_t>(size));
  for (BlockIndex i = 0; static_cast<std::size_t>(i) < blocks.size(); ++i)
    for (BlockIndex j = 0; static_cast<std::size_t>(j) < blocks.size(); ++j) {
      if (!A.here(i, j)) continue;
      std::vector<T> block;
      for (std::size_t c = first[j]; c < first[j + 1]; ++c)
        for (std::size_t r = first[i]; r < first[i + 1]; ++r) block.push_back(x(r, c));
      if (std::any_of(block.begin(), block.end(), [](T v) { return v != T(0); })) A.put(i, j, block.data());
    }
  return A;
}

template <class T>
double largest_difference(BlockSparse<T> A, const Dense<T>& expected) {
  A.add(T(-1), sparse(A.comm(), A.rows(), expected));
  return A.norm(Norm::max);
}

// Products are tested on all numbers of ranks; here a square grid does, and one that is not.
template <class F>
void on_some(F f) {
  const testing::Group group({4, 3});
  if (group.member()) f(Comm(group.raw()));
}

template <class T>
constexpr double rounding = 4000 * std::numeric_limits<decltype(std::abs(T()))>::epsilon();

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
  const Dense<TypeParam> A = p.C * diagonal<TypeParam>(p.energies) * p.R,
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
  const Dense<TypeParam> expected = p.density(-0.2);
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
        Dense<double> A(2), expected(2);
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
    }
  });
}

// S is far from 1: rows and columns of a problem are scaled, and its eigenvectors by the inverse.
TEST(DensityMatrix, IsRightForAnyOverlap) {
  const std::size_t n = 31, low = 13;
  const Eigenproblem<double> p(sizes_of(n), with_gap(n, low));
  const std::vector<double> same(n, 1);
  std::vector<double> tilted;
  for (std::size_t i = 0; i < n; ++i)
    tilted.push_back(std::pow(100.0, static_cast<double>(i) / static_cast<double>(n)));
  const auto scaled = [](std::vector<double> by, double factor) {
    for (double& x : by) x *= factor;
    return diagonal<double>(by);
  };
  on_some([&](const Comm& comm) {
    std::size_t number = 0;
    for (const std::vector<double>& scales : {same, tilted})
      for (double factor : {0.1, 1.0, 30.0})
        for (DensityMethod method : {DensityMethod::sign, DensityMethod::mcweeny, DensityMethod::trs4}) {
          if (!testing::in_sample(number++)) continue;
          const Dense<double> D = scaled(scales, factor);
          const auto H = sparse(comm, p.blocks, D * p.H * D), S = sparse(comm, p.blocks, D * p.S * D);
          DensityOptions options;
          options.method = method, options.eps = 1e-14;
          const DensityMatrix<double> found = density_matrix(H, S, Electrons{2 * low}, options);
          BlockSparse<double> right = sparse(comm, p.blocks, D), PD = right, DPD = right;
          multiply(Op::none, Op::none, 1.0, found.P, right, 0.0, PD);
          multiply(Op::none, Op::none, 1.0, right, PD, 0.0, DPD);
          EXPECT_LT(largest_difference(DPD, p.density(-0.2)), 1e-6) << name_of(method) << ' ' << factor;
          EXPECT_NEAR(found.electrons, 2.0 * low, 1e-6) << name_of(method) << ' ' << factor;
        }
  });
}

TEST(DensityMatrix, DoesNotDependOnTheUnitOfS) {
  const Eigenproblem<double> p(sizes_of(9), with_gap(9, 4));
  on_some([&](const Comm& comm) {
    const auto H = sparse(comm, p.blocks, p.H), S = sparse(comm, p.blocks, p.S);
    const auto off = [](auto x, double factor, const auto& from) {
      return x.scale(factor), x.add(-1, from), x.norm(Norm::max);
    };
    for (double unit : {0x1p-40, 0x1p30}) {
      auto other_H = H, other_S = S;
      other_H.scale(unit), other_S.scale(unit);
      for (DensityMethod method : {DensityMethod::sign, DensityMethod::mcweeny, DensityMethod::trs4}) {
        const auto as_is = density_matrix(H, S, Electrons{8}, {{}, method}),
                   other = density_matrix(other_H, other_S, Electrons{8}, {{}, method});
        EXPECT_NEAR(other.band_energy, as_is.band_energy, 1e-5);
        EXPECT_NEAR(other.chemical_potential, as_is.chemical_potential, 1e-5);
        EXPECT_LT(off(other.P, unit, as_is.P), 1e-5) << name_of(method) << ' ' << unit;
      }
      EXPECT_EQ(off(inverse(other_S).value, unit, inverse(S).value), 0);
      EXPECT_EQ(off(inverse_sqrt(other_S).value, std::sqrt(unit), inverse_sqrt(S).value), 0);
    }
  });
}

TEST(DensityMatrix, IsTheSameInASmallUnitOfH) {
  const Eigenproblem<double> p(sizes_of(9), with_gap(9, 4));
  on_some([&](const Comm& comm) {
    constexpr double unit = 0x1p-40;
    auto S = sparse(comm, p.blocks, p.S), H = sparse(comm, p.blocks, p.H), small = H;
    small.scale(unit);
    for (DensityMethod method : {DensityMethod::sign, DensityMethod::mcweeny, DensityMethod::trs4}) {
      const auto found = [&](const auto& of) { return density_matrix(of, S, Electrons{8}, {{}, method}); };
      const auto as_is = found(H), other = found(small);
      BlockSparse<double> difference = other.P;
      difference.add(-1, as_is.P);
      EXPECT_EQ(difference.norm(Norm::max), 0) << name_of(method);
      EXPECT_EQ(other.band_energy + other.chemical_potential, unit * (as_is.band_energy + as_is.chemical_potential));
    }
    testing::expect_refused_alike<ArgumentError>(
        comm, [&] { density_matrix(small, S, ChemicalPotential{0x1p-37}); },
        "chemical potential: 7.275957614183426e-12");
  });
}

TEST(DensityMatrix, AnEnergyAtATrialPotentialDoesNotEndTheBisection) {
  on_some([&](const Comm& comm) {
    Dense<double> chain(3);
    for (std::size_t i = 0; i < 2; ++i) chain(i, i + 1) = chain(i + 1, i) = 1;
    const auto S = sparse(comm, {1, 1, 1}, diagonal<double>({1, 1, 1}));
    std::size_t number = 0;
    const auto levels = [&](const Dense<double>& H, double edge) {
      for (DensityMethod method : {DensityMethod::sign, DensityMethod::mcweeny, DensityMethod::trs4})
        for (Int electrons : {2, 4}) {
          if (!testing::in_sample(number++)) continue;
          DensityOptions options;
          options.method = method, options.max_iterations = 40;
          const auto found = density_matrix(sparse(comm, {1, 1, 1}, H), S, Electrons{electrons}, options);
          EXPECT_NEAR(found.band_energy, -2 * edge, 1e-5) << name_of(method) << ' ' << electrons;
          EXPECT_NEAR(found.electrons, static_cast<double>(electrons), 1e-5);
          EXPECT_LT(std::abs(found.chemical_potential), edge);
          EXPECT_EQ(found.chemical_potential > 0, electrons == 4);
        }
    };
    levels(chain, std::sqrt(2.0));
    levels(diagonal<double>({-1, 0, 1}), 1);
  });
}

TEST(DensityMatrix, NoStateOrAllOfThemAreOccupied) {
  const Eigenproblem<double> p(sizes_of(9), with_gap(9, 4));
  on_some([&](const Comm& comm) {
    const auto H = sparse(comm, p.blocks, p.H), S = sparse(comm, p.blocks, p.S);
    for (DensityMethod method : {DensityMethod::sign, DensityMethod::mcweeny, DensityMethod::trs4})
      for (Int electrons : {Int{0}, Int{2}, Int{18}}) {
        DensityOptions options;
        options.method = method, options.eps = 1e-12;
        const auto d = density_matrix(H, S, Electrons{electrons}, options);
        EXPECT_NEAR(d.electrons, static_cast<double>(electrons), 1e-9) << name_of(method);
      }
    const BlockSparse<double> none(comm, {}, {});
    EXPECT_EQ(density_matrix(none, none, Electrons{0}).electrons, 0);
    EXPECT_EQ(density_matrix(none, none, ChemicalPotential{0}).band_energy, 0);
    const BlockSparse<double> one = sparse(comm, {1}, diagonal<double>({1}));
    EXPECT_NEAR(density_matrix(one, one, Electrons{2}).band_energy, 2, 1e-6);
  });
}

TEST(DensityMatrix, ErrorsShrinkWithEps) {
  const std::size_t n = 120, low = 50;
  const Eigenproblem<double> p(sizes_of(n), with_gap(n, low));
  const Comm world = Comm::world();
  const auto H = sparse(world, p.blocks, p.H), S = sparse(world, p.blocks, p.S);
  for (double eps : {1e-3, 1e-5, 1e-7}) {
    if (testing::second_mpi() && eps < 1e-3) continue;
    DensityOptions options;
    options.eps = eps;
    double words = 0, occupancy = 1;
    int iterations = 0;
    options.watch = [&](const Iteration& i) { words += i.received, occupancy = i.occupancy, ++iterations; };
    const auto d = density_matrix(H, S, Electrons{2 * low}, options);
    EXPECT_LT(largest_difference(d.P, p.density(-0.2)), 100 * eps);
    EXPECT_EQ(static_cast<std::size_t>(iterations), d.iterations.size());
    EXPECT_EQ(world.size() > 1, words > 0);
    if (eps == 1e-3) {
      EXPECT_LT(occupancy, 0.9);
    }
  }
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

TEST(DensityMatrix, WrongArgumentsAreRefusedAlike) {
  const Comm world = Comm::world();
  const Eigenproblem<double> p(sizes_of(9), with_gap(9, 4));
  const auto H = sparse(world, p.blocks, p.H), S = sparse(world, p.blocks, p.S);
  const auto refused = [&](auto f, const std::string& part) { testing::expect_refused_alike(world, f, part); };
  const auto options = [](auto set) {
    DensityOptions o;
    set(o);
    return o;
  };
  if (world.size() > 1)
    refused([&] { density_matrix(BlockSparse<double>(Comm::self(), S.rows(), S.cols()), S, Electrons{6}); },
            "H: on other ranks than S");
  refused([&] { density_matrix(H, S, Electrons{7}); }, "electrons: 7, expected an even number, at most 18");
  refused([&] { density_matrix(H, S, Electrons{20}); }, "electrons: 20");
  refused([&] { density_matrix(H, S, Electrons{world.rank() == 1 ? 4 : 6}); }, "expected the same on all ranks");
  refused([&] { density_matrix(H, S, ChemicalPotential{5}); }, "chemical potential: 5, expected one within");
  refused([&] { density_matrix(H, S, ChemicalPotential{1.05}); }, "9 of 9 states lie below");
  refused([&] { density_matrix(H, S, ChemicalPotential{NAN}); }, "chemical potential: nan");
  refused([&] { density_matrix(H, S, ChemicalPotential{0}, options([](auto& o) { o.method = DensityMethod::trs4; })); },
          "trs4 needs a number of electrons");
  refused([&] { inverse(S, {.eps = -1}); }, "eps: -1");
  refused([&] { inverse(S, {.order = 1}); }, "order: 1, expected 2 to 7");
  refused([&] { inverse(S, {.max_iterations = 0}); }, "max_iterations: 0");
  refused([&] { density_matrix(H, BlockSparse<double>(world, {9}, {9}), Electrons{2}); }, "H: ");
  refused([&] { sign(BlockSparse<double>(world, {2}, {1, 1})); }, "A: 2x2 in 1x2 blocks, expected a square matrix");
  BlockSparse<double> with_nan = S, lopsided = S;
  const double nan = NAN, two = 2;
  with_nan.for_each([&](BlockIndex i, BlockIndex, MatrixView<double> x) {
    if (i == 1) x(0, 0) = nan;
  });
  lopsided.for_each([&](BlockIndex i, BlockIndex j, MatrixView<double> x) {
    if (i > j) x(0, 0) += two;
  });
  refused([&] { inverse(with_nan); }, "S: it holds NaN");
  refused([&] { inverse(lopsided); }, "S: it is not Hermitian");
  testing::expect_refused_alike<MemoryError>(
      world, [&] { density_matrix(H, S, Electrons{8}, options([](auto& o) { o.memory_words = 50; })); }, "words");
}

TEST(DensityMatrix, WhatDoesNotConvergeSaysSo) {
  const Comm world = Comm::world();
  std::vector<double> indefinite(9, 1), singular(9, 1);
  indefinite[3] = -1, singular[3] = 0;
  const auto said = [&](auto f, const std::string& part) {
    testing::expect_refused_alike<ConvergenceError>(world, f, part);
  };
  const BlockSizes blocks = sizes_of(9);
  said([&] { inverse(sparse(world, blocks, diagonal<double>(indefinite))); },
       "inverse: the iteration diverges, expected S to be positive definite; its residuals are 0.6");
  said([&] { inverse(sparse(world, blocks, diagonal<double>(singular)), {.max_iterations = 20}); },
       "not converged after 20 iterations");
  said(
      [&] { sign(sparse(world, blocks, diagonal<double>(singular)), {.max_iterations = 7}); },
      "sign: not converged after 7 iterations, expected real eigenvalues, none of them zero, a smaller eps than 1e-06");
  // As the filter drops the whole of the first iterate, though it is exact.
  said([&] { inverse(sparse(world, BlockSizes(9, 1), diagonal<double>(std::vector<double>(9, 1))), {.eps = 2}); },
       "inverse: only 0 of 9 blocks on the diagonal are left, others are smaller than eps, 2");
  for (const auto f : {inverse<double>, inverse_sqrt<double>, sign<double>})
    said([&] { f(sparse(world, blocks, diagonal<double>(std::vector<double>(9, 1))), {.eps = 9}); }, "a smaller eps");
  Dense<double> rotation(2);  // its eigenvalues are imaginary
  rotation(0, 1) = 1, rotation(1, 0) = -1;
  said(
      [&] {
        sign(sparse(world, {1, 1}, rotation));
      },
      "sign: the iteration diverges, expected real eigenvalues, none of them zero; its residuals are 2, 5, 50");
  const auto same = sparse(world, blocks, diagonal<double>(std::vector<double>(9, 0.25)));  // energies of all states
  const auto one = sparse(world, blocks, diagonal<double>(std::vector<double>(9, 1)));
  const auto some = sparse(world, blocks, diagonal<double>({-1, 0, 0, 0, 0, 1, 1, 1, 1}));  // 2 of 4
  for (DensityMethod method : {DensityMethod::trs4, DensityMethod::sign, DensityMethod::mcweeny}) {
    DensityOptions options;
    options.method = method, options.max_iterations = 30;
    const char* part = method == DensityMethod::trs4 ? "purification: not converged after 30"
                                                     : "electrons: no chemical potential gives";
    said([&] { density_matrix(same, one, Electrons{8}, options); }, part);
    said([&] { density_matrix(some, one, Electrons{6}, options); }, part);
    if (method != DensityMethod::trs4)
      said([&] { density_matrix(some, one, ChemicalPotential{0}, options); }, "no energy at the chemical potential");
    // A rank may not go on where a watch of another has thrown.
    options.watch = [](const Iteration& i) { i.number == 30 ? throw RuntimeError("seen enough") : void(); };
    testing::expect_refused_alike<RuntimeError>(
        world, [&] { density_matrix(same, one, Electrons{8}, options); }, "seen enough");
  }
}

// More memory than the last refusal names is enough; what is held at a time stays within it.
TEST(DensityMatrix, FitsIntoTheMemoryThatIsAllowed) {
  const Comm world = Comm::world();
  const Eigenproblem<double> p(sizes_of(60), with_gap(60, 20));
  const auto H = sparse(world, p.blocks, p.H), S = sparse(world, p.blocks, p.S);
  DensityOptions options;
  options.memory_words = 20 * (60 * 60 / world.size() + 200);
  EXPECT_NEAR(density_matrix(H, S, Electrons{40}, options).electrons, 40, 1e-3);
}

}  // namespace
}  // namespace cairn
