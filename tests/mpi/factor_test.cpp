// Factorisations and solves as users call them: in any layout, of any type, as often as they like.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "base/scalars.hpp"
#include "distributed.hpp"
#include "planner/plan_factor.hpp"
#include "runtime/over_ranks.hpp"
#include "runtime/transport/self_test.hpp"
#include "sweep.hpp"
#include "triangular.hpp"

namespace cairn {
namespace {

using testing::in_groups;

template <class T, class F>
DistMatrix<T> made(const Layout& l, int rank, F element) {
  const auto X = DistMatrix<T>::own(l, rank);
  X.for_each([&](Int i, Int j, T& x) { x = element(i, j); });
  return X;
}
template <class T>
DistMatrix<T> positive_definite(const Layout& l, int rank, Uplo triangle) {
  return made<T>(l, rank, [&](Int i, Int j) {
    return counts(triangle, i, j) ? testing::factored_element<T>(i, j)
                                  : testing::scalar<T>(testing::untouched(i, j), 0);
  });
}
template <class T>
void expect_factor(const DistMatrix<T>& A, Uplo triangle) {
  A.for_each([&](Int i, Int j, T& x) {
    const T L = testing::factor_element<T>(std::max(i, j), std::min(i, j));
    const bool right =
        counts(triangle, i, j) ? x == (triangle == Uplo::lower ? L : conjugated(L)) : testing::is_untouched(x, i, j);
    EXPECT_TRUE(right) << i << ' ' << j << ": " << x;
  });
}

constexpr Int order = 37;

template <class T>
void factors_in_any_layout(unsigned salt) {
  in_groups([&](const Comm& comm) {
    for (Uplo triangle : {Uplo::lower, Uplo::upper}) {
      const Layout held = testing::some_layout(order, order, comm.size(), salt++);
      SCOPED_TRACE(::testing::Message() << comm.size() << " ranks, salt " << salt);
      const auto A = positive_definite<T>(held, comm.rank(), triangle);
      // Left to the plan, so small a matrix is on one rank.
      const char* const spelling = std::array{"", "cholesky {}x1 b=4", "cholesky 1x{} b=5"}[salt % 3];
      const Options options{.algorithm = fmt::format(fmt::runtime(spelling), comm.size())};
      EXPECT_EQ(cholesky(comm, triangle, A, options).info, 0);
      expect_factor(A, triangle);
    }
  });
}

TEST(Factor, CholeskyInAnyLayoutOfAllTypes) {
  factors_in_any_layout<double>(0);
  factors_in_any_layout<float>(20);
  factors_in_any_layout<std::complex<double>>(40);
  factors_in_any_layout<std::complex<float>>(60);
}

void runs_many_times_as_counted(const std::string& transport) {
  in_groups([&](const Comm& comm) {
    for (Int n : {0, 1, 64, 150}) {
      Options options{.transport = transport, .verify_counts = true};
      Options solving = options;
      if (n > 1) {
        options.algorithm = fmt::format("cholesky {}x1 b={}", comm.size(), n / 8);
        solving.algorithm = fmt::format("trsm 1x{} b={}", comm.size(), n / 8);
      }
      const FactorPlan p = plan(comm, FactoriseProblem{.n = n}, options);
      EXPECT_NE(p.explain().find(transport), std::string::npos);
      Factorisation<double> run(comm, p);
      EXPECT_EQ(run.transport(), one_sided_trouble(comm).empty() ? transport : "two-sided");
      for (int turn = 0; turn < 3; ++turn) {
        const auto A = positive_definite<double>(p.layout_a(), comm.rank(), Uplo::lower);
        const RunReport report = run.run(A);
        EXPECT_EQ(report.info, 0);
        testing::expect_counted(report, p.count(comm.rank()));
        expect_factor(A, Uplo::lower);
        const auto B = made<double>(Layout::row_blocks(n, 3, comm.size()), comm.rank(), [](Int i, Int) {
          double sum = 0;  // of L·X = B with ones in X
          for (Int j = 0; j <= i; ++j) sum += testing::factor_element<double>(i, j);
          return sum;
        });
        solve_triangular(comm, Side::left, Uplo::lower, Op::none, Diag::stored, 1.0, A, B, solving);
        B.for_each([](Int, Int, double& x) { EXPECT_EQ(x, 1); });
      }
    }
  });
}

TEST(Factor, APlanRunsManyTimesAsCounted) { runs_many_times_as_counted("two-sided"); }

TEST(Factor, APlanWithWindowsRunsManyTimesAsCounted) { runs_many_times_as_counted("one-sided"); }

TEST(Factor, WordsFromOtherNodesAreThoseOfThePlan) {
  in_groups([&](const Comm& comm) {
    if (comm.size() < 2) return;
    const FactorPlan p = plan(comm, FactoriseProblem{.n = 150},
                              {.algorithm = fmt::format("cholesky {}x1 b=8", comm.size()), .ranks_per_node = 2});
    const auto A = positive_definite<double>(p.layout_a(), comm.rank(), Uplo::lower);
    const RunReport report = Factorisation<double>(comm, p).run(A);
    testing::expect_counted(report, p.count(comm.rank()));
    EXPECT_EQ(over_ranks(comm, MPI_MAX, report.from_other_nodes), p.max_count().node_words);
    EXPECT_EQ(p.max_count().node_words > 0, comm.size() > 2);
  });
}

TEST(Factor, WithinANodeMessagesAreNotThoseOfACluster) {
  in_groups([](const Comm& comm) {
    EXPECT_EQ(plan(comm, FactoriseProblem{.n = 150}).data().machine.name, "local");
    EXPECT_EQ(plan(comm, SolveProblem{.m = 50, .n = 20}, {.machine = "hopper"}).data().machine.name, "hopper");
    if (comm.size() == 2) {
      EXPECT_EQ(plan(comm, FactoriseProblem{.n = 400}).data().wire.grid.size(), 2);
    }
  });
}

// What others fetch, and what was fetched, takes memory of its own: on one column of ranks more than messages do,
// though not on 2 × 2.
TEST(Factor, WindowsTakeMoreMemory) {
  const auto held = [](const char* transport) {
    return plan(FactoriseProblem{.n = 150, .ranks = 4}, {.algorithm = "cholesky 4x1 b=32", .transport = transport})
        .max_count()
        .peak_words;
  };
  EXPECT_GT(held("one-sided"), held("two-sided"));
}

template <class T>
void solves_in_any_layout(unsigned salt) {
  in_groups([&](const Comm& comm) {
    std::vector<SolveProblem> problems;
    std::vector<std::string> spelled;  // left to the plan, the small ones are on one rank
    for (const testing::SolveCase& c : testing::solve_cases()) {
      if (++salt % 37 != 0) continue;
      SolveProblem p = c.problem;
      p.ranks = comm.size(), p.type = scalar_type_of<T>;
      p.a = testing::some_layout(p.order(), p.order(), p.ranks, salt);
      p.b = testing::some_layout(p.m, p.n, p.ranks, salt + 1);
      problems.push_back(p);
      const bool fits = c.problem.ranks - c.spare <= comm.size();
      spelled.push_back(fits && problems.size() % 2 == 0 ? c.spelling : "");
    }
    const auto found = testing::searched_once(
        comm, problems.size(), [&](std::size_t i) { return plan(problems[i], {.algorithm = spelled[i]}).algorithm(); });
    for (std::size_t i = 0; i < problems.size(); ++i) {
      const SolveProblem& p = problems[i];
      SCOPED_TRACE(::testing::Message() << found[i] << ", " << comm.size() << " ranks, case " << i);
      const auto A = made<T>(*p.a, comm.rank(), [&](Int r, Int c) { return testing::triangle_element<T>(p, r, c); });
      const auto B = made<T>(*p.b, comm.rank(), [&](Int r, Int c) { return testing::right_hand_side<T>(p, r, c); });
      const Options options{.algorithm = i % 8 != 0 ? found[i] : ""};  // the others are searched by all ranks
      solve_triangular(comm, p.side, p.triangle, p.op, p.diag, testing::scalar<T>(testing::solve_alpha, 0), A, B,
                       options);
      B.for_each([](Int r, Int c, T& x) { EXPECT_EQ(x, testing::solution_element<T>(r, c)) << r << ' ' << c; });
    }
  });
}

TEST(Factor, SolvesWithTrianglesInAnyLayoutOfAllTypes) {
  solves_in_any_layout<double>(0);
  solves_in_any_layout<float>(9);
  solves_in_any_layout<std::complex<double>>(18);
  solves_in_any_layout<std::complex<float>>(27);
}

TEST(Factor, SolvesPositiveDefiniteSystems) {
  in_groups([](const Comm& comm) {
    for (Uplo triangle : {Uplo::lower, Uplo::upper})
      for (Int columns : {0, 1, 9}) {
        const auto A = positive_definite<double>(Layout::block_cyclic(order, order, {4, 4, 1, comm.size()}),
                                                 comm.rank(), triangle);
        const auto B = made<double>(Layout::row_blocks(order, columns, comm.size()), comm.rank(), [](Int i, Int j) {
          double sum = 0;
          for (Int k = 0; k < order; ++k)
            sum += testing::factored_element<double>(i, k) * testing::solution_element<double>(k, j);
          return sum;
        });
        EXPECT_EQ(solve_spd(comm, triangle, A, B).info, 0);
        expect_factor(A, triangle);
        B.for_each([](Int i, Int j, double& x) { EXPECT_EQ(x, testing::solution_element<double>(i, j)); });
      }
  });
}

template <class T>
void factors_in_layers_by_rows(const Comm& comm) {
  if (comm.size() % 2 != 0) return;
  Layout held = Layout::block_cyclic(order, order, {4, 4, 1, comm.size()});
  held.order = Order::row;
  for (Uplo triangle : {Uplo::lower, Uplo::upper}) {
    const auto A = positive_definite<T>(held, comm.rank(), triangle);
    const Options named{.algorithm = fmt::format("cholesky 1x{}x2 b=4", comm.size() / 2)};
    EXPECT_EQ(cholesky(comm, triangle, A, named).info, 0);
    expect_factor(A, triangle);
  }
}

TEST(Factor, PartialSumsOfLayersMayLieInAnotherOrderThanA) {
  in_groups([](const Comm& comm) {
    factors_in_layers_by_rows<double>(comm);
    factors_in_layers_by_rows<std::complex<double>>(comm);
  });
}

TEST(Factor, ASystemThatCannotBeSolvedLeavesAAsItIs) {
  in_groups([](const Comm& comm) {
    const Layout held = Layout::row_blocks(order, order, comm.size());
    const auto A = positive_definite<double>(held, comm.rank(), Uplo::lower);
    auto B = DistMatrix<double>::own(Layout::row_blocks(order, 2, comm.size()), comm.rank());
    const auto unchanged = [&] {
      A.for_each([](Int i, Int j, double& x) {
        EXPECT_TRUE(counts(Uplo::lower, i, j) ? x == testing::factored_element<double>(i, j)
                                              : testing::is_untouched(x, i, j));
      });
    };
    const auto refused = [&](const DistMatrix<double>& b, const Options& options, const std::string& part) {
      testing::expect_refused_alike(
          comm, [&] { solve_spd(comm, Uplo::lower, A, b, options); }, part);
      unchanged();
    };
    const bool last = comm.rank() == comm.size() - 1;
    const auto null = DistMatrix<double>::borrow(B.layout(), comm.rank(), last ? nullptr : B.data(), B.words());
    if (B.layout().words(comm.size() - 1) > 0) refused(null, {}, "B: ");
    refused(DistMatrix<double>::own(Layout::row_blocks(order, 2, comm.size() + 1), comm.rank()), {}, "B: ");
    refused(B, {.algorithm = "trsm"}, "algorithm: 'trsm' is unknown");
    B.for_each([](Int i, Int j, double& x) {
      x = 0;
      for (Int k = 0; k < order; ++k)
        x += testing::factored_element<double>(i, k) * testing::solution_element<double>(k, j);
    });
    EXPECT_EQ(solve_spd(comm, Uplo::lower, A, B, {.algorithm = "cholesky"}).info, 0);
    B.for_each([](Int i, Int j, double& x) { EXPECT_EQ(x, testing::solution_element<double>(i, j)); });
  });
}

TEST(Factor, WithAlphaOfZeroNothingIsRead) {
  in_groups([](const Comm& comm) {
    const auto nan = [](Int, Int) { return std::numeric_limits<double>::quiet_NaN(); };
    const auto A = made<double>(Layout::row_blocks(7, 7, comm.size()), comm.rank(), nan),
               B = made<double>(Layout::row_blocks(7, 3, comm.size()), comm.rank(), nan);
    solve_triangular(comm, Side::left, Uplo::lower, Op::none, Diag::stored, 0.0, A, B);
    B.for_each([](Int, Int, double& x) { EXPECT_EQ(x, 0); });
  });
}

TEST(Factor, AZeroOnADiagonalThatCountsIsToldOnAllRanksAndBIsAsItWas) {
  unsigned salt = 0;
  in_groups([&](const Comm& comm) {
    for (Diag diag : {Diag::stored, Diag::unit})
      for (Int zero : {Int{0}, Int{20}, order - 1}) {
        const auto A = made<double>(testing::some_layout(order, order, comm.size(), ++salt), comm.rank(),
                                    [&](Int i, Int j) { return i == j && i != zero && i != order - 1 ? 2 : 0; });
        const auto B = made<double>(testing::some_layout(order, 3, comm.size(), salt + 1), comm.rank(),
                                    [](Int i, Int) { return static_cast<double>(i); });
        SCOPED_TRACE(::testing::Message() << comm.size() << " ranks, salt " << salt << ", zero " << zero);
        const RunReport report = solve_triangular(comm, Side::left, Uplo::upper, Op::none, diag, 1.0, A, B);
        EXPECT_EQ(report.info, diag == Diag::stored ? zero + 1 : 0);
        B.for_each([](Int i, Int, double& x) { EXPECT_EQ(x, static_cast<double>(i)); });
      }
  });
}

TEST(Factor, WhereThereIsNoFactorAllRanksKnowAndBIsAsItWas) {
  in_groups([](const Comm& comm) {
    for (double wrong : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
      const auto A = made<double>(Layout::row_blocks(order, order, comm.size()), comm.rank(), [&](Int i, Int j) {
        return i == 20 && j == 20 ? wrong : testing::factored_element<double>(i, j);
      });
      const auto B = made<double>(Layout::row_blocks(order, 2, comm.size()), comm.rank(), [](Int i, Int) { return i; });
      EXPECT_EQ(solve_spd(comm, Uplo::lower, A, B).info, 21);
      B.for_each([](Int i, Int, double& x) { EXPECT_EQ(x, static_cast<double>(i)); });
    }
  });
}

TEST(Factor, AMachineThatOneRankCannotReadIsToldOnAllRanks) {
  const testing::Another another;  // whose nodes nobody knows yet
  const Comm comm(another.raw);
  const std::string machine = comm.rank() == comm.size() - 1 ? "no_such.json" : "generic";
  const auto refused = [&](const auto& problem) {
    testing::expect_refused_alike<Error>(
        comm, [&] { plan(comm, problem, {.machine = machine}); }, "no_such.json");
  };
  refused(FactoriseProblem{.n = 50});
  refused(SolveProblem{.m = 50, .n = 20});
}

TEST(Factor, RefusesWrongArgumentsOnAllRanks) {
  in_groups([](const Comm& comm) {
    const auto matrix = [&](Int m, Int n) {
      return DistMatrix<double>::own(Layout::row_blocks(m, n, comm.size()), comm.rank());
    };
    const auto refused = [&](auto call, const std::string& part) { testing::expect_refused_alike(comm, call, part); };
    refused([&] { cholesky(comm, Uplo::lower, matrix(5, 6)); }, "A: 5x6, expected a square matrix");
    refused([&] { cholesky(comm, Uplo::full, matrix(5, 5)); }, "triangle: full, expected lower or upper");
    refused([&] { cholesky(comm, static_cast<Uplo>(9), matrix(5, 5)); }, "triangle: 9, expected 0 to 2");
    refused(
        [&] {
          solve_triangular(comm, Side::right, Uplo::lower, static_cast<Op>(9), Diag::stored, 1.0, matrix(5, 5),
                           matrix(3, 5));
        },
        "op: 9, expected 0 to 2");
    refused([&] { solve_spd(comm, Uplo::lower, matrix(5, 5), matrix(6, 2)); }, "B: 6 rows, expected 5");
    const auto solve = [&](Int n, double alpha, const Options& options) {
      solve_triangular(comm, Side::right, Uplo::lower, Op::none, Diag::stored, alpha, matrix(n, n), matrix(3, 5),
                       options);
    };
    refused([&] { solve(4, 1, {}); }, "A: of order 4, expected 5, the columns of B");
    refused([&] { solve(5, 1, {.algorithm = "cosma"}); }, "algorithm: 'cosma' is unknown, expected one of trsm");
    refused([&] { solve(5, 1, {.algorithm = "trsm 40x40 b=3"}); }, "the grid needs 1600 ranks");
    refused([&] { solve(5, 1, {.transport = "node-shared"}); },
            "transport: node-shared, expected two-sided or one-sided");
    if (comm.size() > 1) refused([&] { solve(5, comm.rank() == 0 ? 1 : 2, {}); }, "alpha");
    refused([&] { plan(SolveProblem{.m = 3, .n = 5, .op = static_cast<Op>(5)}); }, "op: 5, expected 0 to 2");
    Layout missing = Layout::row_blocks(4 * comm.size(), 4 * comm.size(), comm.size());
    missing.rows.cuts = {Cut::numbered(Affine::along(0), 2 * comm.size())};
    refused([&] { cholesky(comm, Uplo::lower, DistMatrix<double>::own(missing, comm.rank())); },
            "layout of A: ranks hold");
    const FactorPlan p = plan(comm, FactoriseProblem{.n = 5});
    Factorisation<double> run(comm, p);
    refused([&] { run.run(matrix(6, 6)); }, "A: 6x6, expected 5x5");
    refused([&] { TriangularSolve<double>(comm, p); }, "expected a solve");
    refused([&] { Factorisation<float>(comm, p); }, "plan: for elements of type float64, expected float32");
    refused([&] { Factorisation<double>(comm, plan(FactoriseProblem{.n = 5, .ranks = 99})); },
            fmt::format("plan: for 99 ranks, expected the communicator's {}", comm.size()));
  });
}

}  // namespace
}  // namespace cairn
