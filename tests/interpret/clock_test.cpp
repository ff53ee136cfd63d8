#include "interpret/clock.hpp"

#include <gtest/gtest.h>

#include "algorithms/cosma.hpp"
#include "schedule/builder.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {
namespace {

// One microsecond a message, one nanosecond a byte, one nanosecond a flop.
Machine simple() {
  Machine m;
  m.levels = {{"network", 0, 1e-6, 1e-9}};
  m.gemm.flops_per_second.fill(1e9);
  return m;
}

GemmProblem problem(Int m, Int n, Int k, Int ranks) {
  GemmProblem p;
  p.m = m, p.n = n, p.k = k, p.ranks = ranks;
  return p;
}

Schedule cosma_schedule(const GemmProblem& p, const char* cuts, int depth = 0) {
  return expand_collectives(look_ahead(cosma(p, parse_cosma_cuts(cuts)), depth));
}

TEST(Clock, OneRankOnlyComputes) {
  const Times t = clock(cosma_schedule(problem(10, 20, 30, 1), ""), simple(), ScalarType::float64);
  EXPECT_DOUBLE_EQ(t.seconds, 2.0 * 10 * 20 * 30 * 1e-9);
  EXPECT_DOUBLE_EQ(t.computation, t.seconds);
  EXPECT_EQ(t.communication, 0);
  EXPECT_EQ(t.exposed, 0);
}

TEST(Clock, GatheringComesBeforeTheProductThatNeedsIt) {
  const Times t = clock(cosma_schedule(problem(40, 40, 40, 4), "pm4"), simple(), ScalarType::float64);
  const double gather = 3 * 1e-6 + 30 * 40 * 8 * 1e-9, product = 2.0 * 10 * 40 * 40 * 1e-9;
  EXPECT_DOUBLE_EQ(t.communication, gather);
  EXPECT_DOUBLE_EQ(t.exposed, gather);
  EXPECT_DOUBLE_EQ(t.seconds, gather + product);
}

TEST(Clock, LookAheadHidesAllButTheFirstGathering) {
  const GemmProblem p = problem(400, 400, 400, 4);
  const double gather = 4 * (3 * 1e-6 + 75 * 400 * 8 * 1e-9), product = 2.0 * 100 * 400 * 400 * 1e-9;
  ASSERT_GT(product, gather);
  EXPECT_NEAR(clock(cosma_schedule(p, "pm4,sk4"), simple(), ScalarType::float64).seconds, gather + product, 1e-12);
  const Times t = clock(cosma_schedule(p, "pm4,sk4", 1), simple(), ScalarType::float64);
  EXPECT_NEAR(t.seconds, gather / 4 + product, 1e-12);
  EXPECT_NEAR(t.exposed, gather / 4, 1e-12);
  EXPECT_NEAR(t.communication, gather, 1e-12);
}

TEST(Clock, NeighboursOfOneNodeAreNearer) {
  Machine m = simple();
  m.levels.insert(m.levels.begin(), {"node", 4, 0.1e-6, 0.1e-9});
  const auto seconds = [&](const char* cuts) {
    return clock(cosma_schedule(problem(64, 64, 640, 16), cuts), m, ScalarType::float64).communication;
  };
  const double gather = 48 * 640 * 8, panels = 3 * 16 * 640 * 8;  // bytes along n only; along m in all
  EXPECT_GT(gather, 0);
  EXPECT_LT(seconds("pm4"), 0.11 * (3 * 1e-6 + panels * 1e-9));
  EXPECT_NEAR(seconds("pm2,pn8"), seconds("pn8,pm2"), 0.5 * seconds("pm2,pn8"));
  EXPECT_LT(seconds("pm16"), 15 * 1e-6 + 60 * 640 * 8 * 1e-9);
}

TEST(Clock, ClassesTellTheSameTimeAsAllRanks) {
  const GemmProblem p = problem(97, 101, 103, 60);
  const Schedule s = cosma_schedule(p, "pm4,pn5,pk3,sk3", 1);
  Machine far = simple();
  far.levels.insert(far.levels.begin(), {"pair", 2, 1e-6, 1e-9});  // the same figures, but ranks are told apart
  const Times classes = clock(s, simple(), ScalarType::float64), ranks = clock(s, far, ScalarType::float64);
  EXPECT_NEAR(classes.seconds, ranks.seconds, 1e-9 * ranks.seconds);
  EXPECT_NEAR(classes.computation, ranks.computation, 1e-9 * ranks.seconds);
}

TEST(Clock, AMillionRanksTakeNoTime) {
  const GemmProblem p = problem(100003, 100019, 100043, 1000000);
  const Times t = clock(cosma_schedule(p, "pm100,pn100,pk100,sk3", 1), find_machine("generic"), ScalarType::float64);
  EXPECT_GT(t.seconds, t.computation);
  EXPECT_LT(t.seconds, t.computation + t.communication + t.steps);
}

TEST(Clock, TreesTakeLogarithmicallyManyMessages) {
  Builder s("bcast", 8, 8, 8, Grid({{"i", 8}}), 8);
  const Layout everywhere = s.layout({0, 8}, {}, {0, 8}, {}, Order::col);
  Layout at_root = everywhere;
  at_root.where = {{0, 0}};
  const Slot A = s.bcast(s.input("A", at_root, at_root, false), 0, Affine(0));
  const Slot B = s.input("B", everywhere, everywhere, false), C = s.output("C", everywhere, everywhere);
  s.gemm(A, B, C);
  const Schedule wire = expand_collectives(s.done());
  const double message = 1e-6 + 64 * 8 * 1e-9, product = 2 * 512 * 1e-9;
  EXPECT_NEAR(clock(wire, simple(), ScalarType::float64).seconds, 3 * message + product, 1e-12);
}

TEST(Clock, RedistributionIsPaid) {
  GemmProblem p = problem(40, 40, 40, 4);
  const double before = clock(cosma_schedule(p, "pm4"), simple(), ScalarType::float64).seconds;
  p.a = Layout::col_blocks(40, 40, 4);
  const double after = clock(cosma_schedule(p, "pm4"), simple(), ScalarType::float64).seconds;
  EXPECT_NEAR(after - before, 3 * 1e-6 + 300 * 8 * 1e-9, 1e-12);
}

}  // namespace
}  // namespace cairn
