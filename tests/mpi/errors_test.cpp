// Wrong arguments: one clear error that names the argument, the same on every rank, and no rank left waiting.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <new>

#include "cairn/factor.hpp"
#include "distributed.hpp"

// Buffers are aligned arrays; while `refuse_large_memory`, no large one is to be had.
static bool refuse_large_memory = false;

void* operator new[](std::size_t size, std::align_val_t alignment) {
  constexpr std::size_t large = std::size_t{1} << 20;
  const auto aligned = static_cast<std::size_t>(alignment);
  void* const p = refuse_large_memory && size > large
                      ? nullptr
                      : std::aligned_alloc(aligned, (std::max<std::size_t>(size, 1) + aligned - 1) / aligned * aligned);
  if (!p) throw std::bad_alloc();
  return p;
}
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace cairn {
namespace {

class NoLargeMemory {
 public:
  explicit NoLargeMemory(bool here) { refuse_large_memory = here; }
  ~NoLargeMemory() { refuse_large_memory = false; }
  NoLargeMemory(const NoLargeMemory&) = delete;
  NoLargeMemory& operator=(const NoLargeMemory&) = delete;
};

Comm world() { return Comm(MPI_COMM_WORLD); }

GemmProblem problem(Int m, Int n, Int k) { return testing::problem(m, n, k, world().size()); }

// The planner may leave ranks without work, and without anything to get wrong.
Options on_all_ranks() {
  Options options;
  options.algorithm = "cosma pm4,pn4";
  return options;
}

template <class E, class F>
void expect_error(F f, const std::string& part) {
  testing::expect_refused_alike<E>(world(), f, part);
}

struct Operands {
  explicit Operands(const Plan& p)
      : A(testing::filled<double>(p.layout_a(), world().rank(), 1)),
        B(testing::filled<double>(p.layout_b(), world().rank(), 2)),
        C(testing::filled<double>(p.layout_c(), world().rank(), 3)) {}
  DistMatrix<double> A, B, C;
};

using Borrow = DistMatrix<double> (*)(const DistMatrix<double>&);
DistMatrix<double> no_memory(const DistMatrix<double>& X) {
  return DistMatrix<double>::borrow(X.layout(), X.rank(), nullptr, X.words());
}
DistMatrix<double> too_short(const DistMatrix<double>& X) {
  return DistMatrix<double>::borrow(X.layout(), X.rank(), X.data(), X.words() - 1);
}
DistMatrix<double> too_narrow(const DistMatrix<double>& X) {
  return DistMatrix<double>::borrow(X.layout(), X.rank(), X.data(), X.words(), 1);
}

// By its words a part of a huge array, which is not touched.
DistMatrix<double> too_wide(const DistMatrix<double>& X) {
  return DistMatrix<double>::borrow(X.layout(), X.rank(), X.data(), Int{1} << 62, Int{1} << 31);
}
// So many elements lie between its lines that a short buffer seems long enough where 64 bits overflow.
DistMatrix<double> beyond_memory(const DistMatrix<double>& X) {
  return DistMatrix<double>::borrow(X.layout(), X.rank(), X.data(), X.words(), Int{1} << 61);
}

TEST(Errors, OfArgumentsThatDifferTellOnlyWhatDiffers) {
  const bool last = world().rank() == world().size() - 1;
  const auto arguments = [&](const char* b) { return fmt::format("a 1, b [2, {}], c (x, y), d {}", b, last); };
  expect_error<ArgumentError>([&] { world().agree_same("arguments", arguments(last ? "3" : "4")); },
                              "arguments: b [2, 3], d true here, b [2, 4], d false on rank 0; expected the same");
  const std::string longer = last ? "a 1, b 2" : "a 1";
  expect_error<ArgumentError>([&] { world().agree_same("arguments", longer); }, "a 1, b 2 here, a 1 on rank 0");
}

TEST(Errors, ABadBufferOnOneRankIsReportedOnAll) {
  Multiplication<double> run(world(), plan(problem(64, 64, 64), on_all_ranks()));
  const Operands x(run.plan());
  const auto on_rank_2 = [](const DistMatrix<double>& X, Borrow bad) { return world().rank() == 2 ? bad(X) : X; };
  expect_error<ArgumentError>([&] { run.run(1, on_rank_2(x.A, no_memory), x.B, 0, x.C); }, "A: null");
  expect_error<ArgumentError>([&] { run.run(1, x.A, on_rank_2(x.B, too_short), 0, x.C); }, "B: a buffer of");
  expect_error<ArgumentError>([&] { run.run(1, x.A, x.B, 0, on_rank_2(x.C, too_narrow)); },
                              "C: leading dimension 1, expected at least");
  expect_error<ArgumentError>([&] { run.run(1, on_rank_2(x.A, too_wide), x.B, 0, x.C); },
                              "A: leading dimension 2147483648, expected at most 2147483647");
  expect_error<ArgumentError>([&] { run.run(1, x.A, on_rank_2(x.B, beyond_memory), 0, x.C); },
                              "B: leading dimension 2305843009213693952, expected less");
  run.run(1, x.A, x.B, 0, x.C);  // and the plan still works
}

// Before any memory is asked for.
TEST(Errors, MoreRowsThanBlasCountsAreRefused) {
  Options options = on_all_ranks();
  options.algorithm = "cosma pm16";
  const Plan tall = plan(problem(Int{1} << 36, 1, 1), options);
  expect_error<ArgumentError>([&] { Multiplication<double>(world(), tall); },
                              "plan: a rank has 4294967296 rows or columns of A, expected at most 2147483647");
}

TEST(Errors, ABadBufferOfAFactorisationOrASolveOnOneRankIsReportedOnAll) {
  const Layout l = Layout::block_cyclic(64, 64, {16, 16, 4, 4});
  const auto A = DistMatrix<double>::own(l, world().rank());
  const auto on_rank_2 = [&](Borrow bad) { return world().rank() == 2 ? bad(A) : A; };
  expect_error<ArgumentError>([&] { cholesky(world(), Uplo::lower, on_rank_2(too_wide)); },
                              "A: leading dimension 2147483648, expected at most");
  expect_error<ArgumentError>([&] { cholesky(world(), Uplo::lower, on_rank_2(beyond_memory)); },
                              "A: leading dimension 2305843009213693952, expected less");
  const auto B = DistMatrix<double>::own(l, world().rank());
  const auto solve = [&](const DistMatrix<double>& T) {
    solve_triangular(world(), Side::left, Uplo::lower, Op::none, Diag::unit, 1.0, T, B);
  };
  expect_error<ArgumentError>([&] { solve(on_rank_2(too_wide)); }, "A: leading dimension 2147483648, expected at most");
}

TEST(Errors, ScalarsThatDifferBetweenRanksAreRefused) {
  Multiplication<double> run(world(), plan(problem(32, 32, 32)));
  const Operands x(run.plan());
  expect_error<ArgumentError>([&] { run.run(world().rank() == 3 ? 2 : 1, x.A, x.B, 0, x.C); }, "alpha and beta: ");
}

TEST(Errors, ThePlainCallRefusesTheSameAsAPreparedOne) {
  const Plan planned = plan(problem(64, 64, 64), on_all_ranks());
  const Operands x(planned);
  const int me = world().rank();
  const auto call = [&](double alpha, const DistMatrix<double>& A, const Options& options) {
    gemm(world(), Op::none, Op::none, alpha, A, x.B, 0.0, x.C, options);
  };
  call(1, x.A, {});
  expect_error<ArgumentError>([&] { call(me == 3 ? 2 : 1, x.A, {}); }, "alpha and beta: ");
  expect_error<ArgumentError>([&] { call(1, me == 2 ? no_memory(x.A) : x.A, {}); }, "A: ");
  expect_error<ArgumentError>([&] { call(1, me == 2 ? too_wide(x.A) : x.A, {}); }, "A: leading dimension 2147483648");
  Options other;
  other.prefer = me == 1 ? "words" : "time";
  expect_error<ArgumentError>([&] { call(1, x.A, other); }, "arguments: ");
  call(1, x.A, {});
}

TEST(Errors, PlansThatDifferBetweenRanksAreRefused) {
  expect_error<ArgumentError>(
      [] { Multiplication<double> run(world(), plan(problem(world().rank() == 1 ? 33 : 32, 32, 32))); }, "plan: ");
}

TEST(Errors, PlansThatDifferOnlyInTheirStepsAreRefused) {
  expect_error<ArgumentError>(
      [] {
        Options options;
        options.algorithm = "cosma pm4,pn4,sk4";
        options.look_ahead = world().rank() == 1 ? 1 : 0;
        Multiplication<double> run(world(), plan(problem(32, 32, 32), options));
      },
      "plan: ");
}

// They run the same steps, and meet once more after them.
TEST(Errors, PlansThatDifferOnlyInHowTheirRunsEndAreRefused) {
  const bool here = world().rank() == 1;
  const auto refused = [](const Options& options, const std::string& part) {
    expect_error<ArgumentError>([&] { Multiplication<double> run(world(), plan(problem(32, 32, 32), options)); }, part);
    if (options.transport == "node-shared") return;
    const FactoriseProblem p{.n = 32, .ranks = world().size()};
    expect_error<ArgumentError>([&] { Factorisation<double> run(world(), plan(p, options)); }, part);
  };
  refused({.trace = here ? "t.json" : ""}, "plan: a trace here, no trace on rank 0; expected the same");
  refused({.verify_counts = here}, "plan: verify_counts true here, verify_counts false on rank 0");
  std::optional<Int> limit;
  if (here) limit = Int{1} << 30U;
  refused({.memory_words = limit, .algorithm = "cosma pm4,pn4", .transport = "node-shared"},
          "plan: memory 1073741824 words here, memory unlimited on rank 0");
}

TEST(Errors, ALayoutThatNoMatrixHasIsRefused) {
  Layout l = Layout::row_blocks(16, 16, world().size());
  l.rows.extent = {5, 21};
  const std::string part = "layout: rows begin at 5, expected 0";
  expect_error<ArgumentError>([&] { DistMatrix<double>::own(l, world().rank()); }, part);
  expect_error<ArgumentError>([&] { DistMatrix<double>::borrow(l, world().rank(), nullptr, 0); }, part);
  l.rows.extent = {0, 16}, l.rows.cuts[0].parts = 0;
  expect_error<ArgumentError>([&] { plan(world(), FactoriseProblem{.n = 16, .a = l}); },
                              "layout of A: rows: 0 parts, expected at least 1");
}

TEST(Errors, AMatrixInAnotherLayoutIsRefused) {
  Multiplication<double> run(world(), plan(problem(64, 64, 64), on_all_ranks()));
  const Operands x(run.plan());
  const auto other = testing::filled<double>(Layout::on_one_rank(64, 64), world().rank(), 1);
  expect_error<ArgumentError>([&] { run.run(1, other, x.B, 0, x.C); },
                              "A: another layout than the plan's, expected its layout_a()");
  const auto small = testing::filled<double>(Layout::on_one_rank(63, 64), world().rank(), 1);
  expect_error<ArgumentError>([&] { run.run(1, x.A, small, 0, x.C); }, "B: 63x64, expected 64x64");
}

TEST(Errors, APlanForOtherRanksOrAnotherTypeIsRefused) {
  GemmProblem p = problem(32, 32, 32);
  p.ranks = 3;
  expect_error<ArgumentError>([&] { Multiplication<double> run(world(), plan(p)); },
                              "plan: for 3 ranks, expected the communicator's");
  p = problem(32, 32, 32);
  expect_error<ArgumentError>([&] { Multiplication<float> run(world(), plan(p)); },
                              "plan: for elements of type float64, expected float32");
}

TEST(Errors, MismatchedInnerDimensionsAreNamed) {
  const int me = world().rank();
  const auto X = [me](Int m, Int n) {
    return testing::filled<double>(Layout::row_blocks(m, n, world().size()), me, 1);
  };
  expect_error<ArgumentError>([&] { multiply(world(), X(8, 9), X(10, 8), X(8, 8)); },
                              "A and B: op(A) is 8x9 and op(B) 10x8");
  expect_error<ArgumentError>([&] { multiply(world(), X(8, 9), X(9, 8), X(8, 7)); }, "C: 8x7, expected 8x8");
}

TEST(Errors, UnequalOptionsAndUnknownAlgorithmsAreRefused) {
  const auto X = testing::filled<double>(Layout::row_blocks(16, 16, world().size()), world().rank(), 1);
  Options options;
  options.algorithm = world().rank() == 1 ? "cosma pm2" : "";
  expect_error<ArgumentError>([&] { multiply(world(), X, X, X, options); }, "arguments: ");
  options.algorithm = "fox 2x2";
  expect_error<ArgumentError>([&] { multiply(world(), X, X, X, options); }, "cosma");
  options.algorithm = "cosma pm64,pn64";
  expect_error<ArgumentError>([&] { multiply(world(), X, X, X, options); }, "4096 ranks");
  options.algorithm = "";
  options.memory_words = 10;
  expect_error<MemoryError>([&] { multiply(world(), X, X, X, options); }, "memory");
  multiply(world(), X, X, X);  // which a limit of -1 is not, although nothing else differs
  options.memory_words = -1;
  expect_error<ArgumentError>([&] { multiply(world(), X, X, X, options); }, "memory: -1 words, expected 0 or more");
}

TEST(Errors, AnOperandOfWhichSomeElementsLieNowhereIsRefused) {
  const int me = world().rank();
  const auto X = testing::filled<double>(Layout::row_blocks(16, 16, world().size()), me, 1);
  Layout holed = X.layout();
  holed.rows.cuts = {Cut::fixed(0, 2)};
  const auto A = testing::filled<double>(holed, me, 1);
  expect_error<ArgumentError>([&] { multiply(world(), A, X, X); }, "layout of A: ranks hold 128 of 256 elements");
  expect_error<ArgumentError>([&] { multiply(world(), X, A, X); }, "layout of B: ranks hold 128 of 256 elements");
}

TEST(Errors, AFreedOrNullCommunicatorIsRefused) {
  expect_error<ArgumentError>([] { Comm comm(MPI_COMM_NULL); }, "comm: MPI_COMM_NULL");
}

TEST(Comm, OneDuplicateACommunicatorFreedWithIt) {
  const testing::Group pair({2});
  for (int i = 0; pair.member() && i < 3000; ++i) {  // more than an MPI has communicators to give
    MPI_Comm mine = MPI_COMM_NULL;
    MPI_Comm_dup(pair.raw(), &mine);
    const Comm first(mine), second(mine);
    ASSERT_EQ(first.raw(), second.raw());
    MPI_Comm_free(&mine);
  }
}

TEST(Gemm, PlainCallsOfManyShapesKeepABoundedCache) {
  for (Int m = 1; m < 40; ++m) {
    const auto A = testing::filled<double>(Layout::row_blocks(m, 5, world().size()), world().rank(), 1);
    const auto B = testing::filled<double>(Layout::on_one_rank(5, 3), world().rank(), 2);
    const auto C = testing::filled<double>(Layout::col_blocks(m, 3, world().size()), world().rank(), 3);
    for (int again = 0; again < 2; ++again) multiply(world(), A, B, C);
    testing::expect_product(C, problem(m, 3, 5));
  }
}

TEST(Gemm, MatricesInOtherBlocksAreOtherProblems) {
  for (Int owner : {0, 5, 3}) {
    const Layout l = Layout::arbitrary(6, 6, world().size(), {{0, 2 + owner / 3, 6}, {0, 6}, {owner, 1}, false});
    const auto A = testing::filled<double>(l, world().rank(), 1), B = testing::filled<double>(l, world().rank(), 2);
    const auto C = testing::filled<double>(l, world().rank(), 3);
    multiply(world(), A, B, C);
    testing::expect_product(C, problem(6, 6, 6));
  }
}

TEST(Gemm, BetaZeroNeverReadsCAndAlphaZeroNeverReadsAAndB) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const char* cuts : {"cosma pm4,pn2,pk2", "cosma pk16", "cosma pm3,sk2"}) {
    Options options;
    options.algorithm = cuts;
    Multiplication<double> run(world(), plan(problem(20, 21, 22), options));
    const Operands x(run.plan());
    const auto fill = [](const DistMatrix<double>& X, double value) {
      X.for_each([value](Int, Int, double& e) { e = value; });
    };
    fill(x.C, nan);
    run.run(1, x.A, x.B, 0, x.C);
    x.C.for_each([](Int, Int, double c) { ASSERT_EQ(c, c); });
    fill(x.A, nan), fill(x.C, 3);
    run.run(0, x.A, x.B, 2, x.C);
    x.C.for_each([](Int, Int, double c) { ASSERT_EQ(c, 6); });
    fill(x.C, nan);
    run.run(0, x.A, x.B, 0, x.C);
    x.C.for_each([](Int, Int, double c) { ASSERT_EQ(c, 0); });
    run.run(1, x.A, x.B, 0, x.C);  // a NaN in A reaches C
    x.C.for_each([](Int, Int, double c) { ASSERT_NE(c, c); });
  }
}

TEST(Gemm, SameInputsAndSamePlanGiveTheSameBits) {
  Options options;
  options.algorithm = "cosma pm2,pn2,pk4";
  Multiplication<float> run(world(), [&] {
    GemmProblem p = problem(50, 51, 52);
    p.type = ScalarType::float32;
    return plan(p, options);
  }());
  const auto fill = [](const Layout& l) {
    auto X = DistMatrix<float>::own(l, world().rank());
    X.for_each([](Int i, Int j, float& x) { x = 1.0f / static_cast<float>(1 + i + 3 * j); });
    return X;
  };
  const auto A = fill(run.plan().layout_a()), B = fill(run.plan().layout_b());
  const auto first = fill(run.plan().layout_c());
  run.run(1, A, B, 0, first);
  for (int again = 0; again < 5; ++again) {
    const auto C = fill(run.plan().layout_c());
    run.run(1, A, B, 0, C);
    for (Int i = 0; i < C.words(); ++i) ASSERT_EQ(C.data()[i], first.data()[i]);
  }
}

TEST(Gemm, LeadingDimensionsArePaddingThatStaysUntouched) {
  const int me = world().rank();
  const Layout l = Layout::block_cyclic(45, 43, {4, 3, 4, 4});
  const Int rows = l.rows_at(me).size(), cols = l.cols_at(me).size(), ld = rows + 3;
  std::vector<double> a(static_cast<std::size_t>(ld * cols + 1), -77), b = a, c = a;
  const auto borrow = [&](std::vector<double>& x) {
    return DistMatrix<double>::borrow(l, me, x.data(), static_cast<Int>(x.size()), ld);
  };
  const auto A = borrow(a), C = borrow(c);
  const Layout lb = Layout::on_one_rank(43, 43);
  const auto B = testing::filled<double>(lb, me, 2);
  A.for_each([](Int i, Int j, double& x) { x = testing::element<double>(i, j, 1); });
  for (int again = 0; again < 2; ++again) multiply(world(), A, B, C);
  testing::expect_product(C, problem(45, 43, 43));
  Int inside = 0;
  C.for_each([&](Int, Int, double& x) {
    x = -77;
    ++inside;
  });
  EXPECT_EQ(inside, rows * cols);
  for (double x : c) ASSERT_EQ(x, -77);
}

TEST(Memory, ArenaAndPartsAreThePlansPeak) {
  for (const char* cuts : {"", "cosma pm4,pn2,pk2,sk3", "cosma pk16", "cosma pn16,sk5", "cosma pm2,pn3,sm2,sk2"}) {
    Options options;
    options.algorithm = cuts;
    Multiplication<double> run(world(), plan(problem(75, 64, 83), options));
    const Operands x(run.plan());
    EXPECT_EQ(x.A.words() + x.B.words() + x.C.words() + run.arena_words(), run.plan().count(world().rank()).peak_words)
        << cuts;
  }
}

TEST(Memory, BuffersRefusedOnOneRankAreReportedOnAllAndSmallerPlansStillRun) {
  Multiplication<double> small(world(), plan(problem(64, 64, 64), on_all_ranks()));
  const Operands x(small.plan());
  const Plan large = plan(problem(4096, 4096, 4096), on_all_ranks());
  expect_error<MemoryError>(
      [&] {
        const NoLargeMemory refused(world().rank() == 3);
        Multiplication<double>(world(), large);
      },
      "buffers cannot be allocated");
  EXPECT_GT(small.run(1, x.A, x.B, 0, x.C).messages, 0);
}

TEST(Memory, PlansThatShareBuffersDoNotDisturbEachOther) {
  Multiplication<double> large(world(), plan(problem(512, 512, 512), on_all_ranks()));
  Multiplication<double> small(world(), plan(problem(64, 64, 64), on_all_ranks()));
  const Operands x(large.plan()), y(small.plan());
  large.run(1, x.A, x.B, 0, x.C);
  std::vector<double> alone(x.C.data(), x.C.data() + x.C.words());
  small.run(1, y.A, y.B, 0, y.C);
  large.run(1, x.A, x.B, 0, x.C);
  EXPECT_TRUE(std::equal(alone.begin(), alone.end(), x.C.data()));
}

TEST(Memory, ALimitIsKept) {
  const Plan unlimited = plan(problem(120, 130, 140));
  Options options;
  options.memory_words = unlimited.max_count().peak_words * 2 / 3;
  Multiplication<double> run(world(), plan(problem(120, 130, 140), options));
  const Operands x(run.plan());
  EXPECT_LE(x.A.words() + x.B.words() + x.C.words() + run.arena_words(), *options.memory_words);
  run.run(1, x.A, x.B, 0, x.C);
}

}  // namespace
}  // namespace cairn
