// One-sided transport: its self-test, the fallback, its memory, and what changes from run to run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "distributed.hpp"
#include "runtime/transport/self_test.hpp"
#include "sweep.hpp"

namespace cairn {
namespace {

Comm world() { return Comm(MPI_COMM_WORLD); }

Plan planned(const std::string& algorithm, Int m = 75, Int n = 64, Int k = 83) {
  return plan(testing::problem(m, n, k, world().size()), {.algorithm = algorithm, .transport = "one-sided"});
}

void expect_product(Multiplication<double>& run, const DistMatrix<double>& A, const DistMatrix<double>& B, int seed) {
  const auto C = testing::filled<double>(run.plan().layout_c(), world().rank(), 3);
  const RunReport report = run.run(1, A, B, 0, C);
  EXPECT_EQ(report.received, run.plan().count(world().rank()).wire_words);
  testing::expect_product(C, run.plan().problem(), 1.0, 0.0, seed);
}

void expect_product(Multiplication<double>& run, int seed) {
  expect_product(run, testing::filled<double>(run.plan().layout_a(), world().rank(), seed),
                 testing::filled<double>(run.plan().layout_b(), world().rank(), seed + 1), seed);
}

const std::vector<std::string> algorithms{"cosma pm4,pn2,pk2,sk3", "cosma pk16",     "cosma pn16,sk5",
                                          "cosma pm2,pn3,sm2,sk2", "summa 4x4 b=16", "hsumma 4x4 groups=2x2 M=16 b=5"};

TEST(OneSided, PassesItsSelfTestOnAllRanks) { EXPECT_EQ(one_sided_trouble(world()), ""); }

TEST(OneSided, TheWindowIsAsLargeAsThePlanSaid) {
  for (const std::string& algorithm : algorithms) {
    Multiplication<double> run(world(), planned(algorithm));
    ASSERT_EQ(run.transport(), "one-sided") << run.obstacle();
    const int me = world().rank();
    const Int parts =
        run.plan().layout_a().words(me) + run.plan().layout_b().words(me) + run.plan().layout_c().words(me);
    EXPECT_EQ(parts + run.arena_words(), run.plan().count(me).peak_words) << algorithm;
  }
}

TEST(OneSided, ALimitOfMemoryIsKept) {
  const GemmProblem p = testing::problem(120, 130, 140, world().size());
  Options options;
  options.transport = "one-sided";
  const auto found = [&] {
    return testing::searched_once(world(), 1, [&](auto) { return plan(p, options).algorithm(); })[0];
  };
  Options by_any = options;
  by_any.algorithm = found();
  options.memory_words = plan(p, by_any).max_count().peak_words * 9 / 10;
  options.algorithm = found();
  Multiplication<double> run(world(), plan(p, options));
  ASSERT_EQ(run.transport(), "one-sided") << run.obstacle();
  const int me = world().rank();
  EXPECT_LE(run.plan().layout_a().words(me) + run.plan().layout_b().words(me) + run.plan().layout_c().words(me) +
                run.arena_words(),
            *options.memory_words);
  expect_product(run, 1);
}

TEST(OneSided, EveryRunReadsTheInputsAnew) {
  for (const std::string& algorithm : algorithms) {
    Multiplication<double> run(world(), planned(algorithm));
    for (int seed = 1; seed < 6; ++seed) expect_product(run, seed);
  }
}

TEST(OneSided, LeadingDimensionsMayChangeOnOneRankAlone) {
  Multiplication<double> run(world(), planned("cosma pm4,pn2,pk2,sk3"));
  const int me = world().rank();
  expect_product(run, 1);
  const Layout l = run.plan().layout_a();
  const Int lines = (l.order == Order::col ? l.cols_at(me) : l.rows_at(me)).size();
  const Int ld = (l.order == Order::col ? l.rows_at(me) : l.cols_at(me)).size() + (me == 5 ? 3 : 0);
  std::vector<double> a(static_cast<std::size_t>(std::max<Int>(1, ld * lines)));
  const auto A = DistMatrix<double>::borrow(l, me, a.data(), static_cast<Int>(a.size()), std::max<Int>(1, ld));
  A.for_each([](Int i, Int j, double& x) { x = testing::element<double>(i, j, 2); });
  expect_product(run, A, testing::filled<double>(run.plan().layout_b(), me, 3), 2);
}

TEST(OneSided, PlainCallsKeepTheirWindowsUntilMpiEnds) {
  Options options;
  options.algorithm = fmt::format("cosma pm{}", world().size());
  options.transport = "one-sided";
  for (Int m = 20; m < 60; ++m) {  // more shapes than are kept
    const auto A = testing::filled<double>(Layout::row_blocks(m, 5, world().size()), world().rank(), 1);
    const auto B = testing::filled<double>(Layout::on_one_rank(5, 30), world().rank(), 2);
    const auto C = testing::filled<double>(Layout::col_blocks(m, 30, world().size()), world().rank(), 3);
    multiply(world(), A, B, C, options);
    testing::expect_product(C, testing::problem(m, 30, 5, world().size()));
  }
}

}  // namespace
}  // namespace cairn
