// Density matrices of problems whose energies and eigenvectors are known.
#include <gtest/gtest.h>

#include "cairn/matrix_functions.hpp"
#include "eigenproblem.hpp"

namespace cairn {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

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
          const Square<double> D = scaled(scales, factor);
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
    testing::expect_refused_alike<ArgumentError>(
        comm, [&] { density_matrix(small, S, ChemicalPotential{-1e308}); }, "chemical potential: -1e+308, expected");
  });
}

TEST(DensityMatrix, AnEnergyAtATrialPotentialDoesNotEndTheBisection) {
  on_some([&](const Comm& comm) {
    Square<double> chain(3);
    for (std::size_t i = 0; i < 2; ++i) chain(i, i + 1) = chain(i + 1, i) = 1;
    const auto S = sparse(comm, {1, 1, 1}, diagonal<double>({1, 1, 1}));
    std::size_t number = 0;
    const auto levels = [&](const Square<double>& H, double edge) {
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
  refused([&] { density_matrix(H, S, Electrons{7}); }, "electrons: 7, expected an even number from 0 to 18");
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
  std::vector<double> small(9, 1);
  small[3] = 5e-7;
  said([&] { inverse_sqrt(sparse(world, BlockSizes(9, 1), diagonal<double>(small)), {.eps = 1e-6}); },
       "inverse square root: only 8 of 9 blocks on the diagonal are left");
  for (const auto f : {inverse<double>, inverse_sqrt<double>, sign<double>})
    said([&] { f(sparse(world, blocks, diagonal<double>(std::vector<double>(9, 1))), {.eps = 9}); }, "a smaller eps");
  Square<double> rotation(2);  // its eigenvalues are imaginary
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

// What is held stays within the limit: BlockMemory.FunctionsStayWithinTheLimit.
TEST(DensityMatrix, TakesMemoryThatIsEnoughAndRefusesLess) {
  const Comm world = Comm::world();
  const Eigenproblem<double> p(sizes_of(60), with_gap(60, 20));
  const auto H = sparse(world, p.blocks, p.H), S = sparse(world, p.blocks, p.S);
  DensityOptions options;
  options.memory_words = 20 * (60 * 60 / world.size() + 200);
  EXPECT_NEAR(density_matrix(H, S, Electrons{40}, options).electrons, 40, 1e-3);
  for (const auto& [matrices, part] :
       {std::pair<Int, const char*>{1, "too few for copies of the arguments"}, {8, "too few for iteration"}}) {
    options.memory_words = matrices * 60 * 60 / world.size();
    testing::expect_refused_alike<MemoryError>(
        world, [&] { density_matrix(H, S, Electrons{40}, options); }, part);
  }
}
}  // namespace
}  // namespace cairn
