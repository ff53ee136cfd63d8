#include "interpret/clock.hpp"

#include <gtest/gtest.h>

#include "algorithms/cosma.hpp"
#include "algorithms/registry.hpp"
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
  const double gather = 1e-6 + 30 * 40 * 8 * 1e-9, product = 2.0 * 10 * 40 * 40 * 1e-9;
  EXPECT_DOUBLE_EQ(t.communication, gather);
  EXPECT_DOUBLE_EQ(t.exposed, gather);
  EXPECT_DOUBLE_EQ(t.seconds, gather + product);
}

// The second round's panels leave once the first have arrived, and so on.
TEST(Clock, LookAheadHidesAllButTheFirstGatherings) {
  const GemmProblem p = problem(400, 400, 400, 4);
  const double gather = 4 * (1e-6 + 75 * 400 * 8 * 1e-9), product = 2.0 * 100 * 400 * 400 * 1e-9;
  ASSERT_GT(product, gather);
  EXPECT_NEAR(clock(cosma_schedule(p, "pm4,sk4"), simple(), ScalarType::float64).seconds, gather + product, 1e-12);
  const Times t = clock(cosma_schedule(p, "pm4,sk4", 1), simple(), ScalarType::float64);
  EXPECT_NEAR(t.seconds, gather / 4 + product, 1e-12);
  EXPECT_NEAR(t.exposed, gather / 4, 1e-12);
  EXPECT_NEAR(t.communication, gather, 1e-12);
}

// No rank stops for the next round's panels, which travel together, along rows and columns, while this one's are
// multiplied.
TEST(Clock, LookAheadHidesTreesBeneathProducts) {
  Machine m = simple();
  m.gemm.flops_per_second.fill(5e10);
  const auto times = [&](int depth) {
    const Schedule s = make_algorithm(problem(4096, 4096, 4096, 16), "summa 4x4 b=1024").schedule;
    return clock(expand_collectives(look_ahead(s, depth)), m, ScalarType::float64);
  };
  const double message = 1e-6 + 1024 * 1024 * 8 * 1e-9, product = 2.0 * 1024 * 1024 * 1024 / 5e10;
  ASSERT_GT(product, 4 * message);
  const Times none = times(0), one = times(1);
  EXPECT_GT(none.exposed, 8 * message);
  EXPECT_LT(one.exposed, 0.7 * none.exposed);
  EXPECT_GT(one.exposed, 4 * message);  // the first round's
}

// The case of an issue: of 1.31 s, 0.94 s were waited for at any look-ahead.
TEST(Clock, LookAheadHelpsThousandsOfRanks) {
  const Machine hopper = find_machine("hopper");
  const auto times = [&](int depth) {
    return clock(expand_collectives(look_ahead(
                     make_algorithm(problem(32768, 32768, 8192, 4096), "summa 64x64 b=128").schedule, depth)),
                 hopper, ScalarType::float64);
  };
  const Times none = times(0), one = times(1);
  EXPECT_LT(one.seconds, 0.8 * none.seconds);
  EXPECT_LT(one.exposed, 0.75 * none.exposed);
}

TEST(Clock, NeighboursOfOneNodeAreNearer) {
  Machine m = simple();
  m.levels.insert(m.levels.begin(), {"node", 4, 0.1e-6, 0.1e-9});
  const auto seconds = [&](const char* cuts) {
    return clock(cosma_schedule(problem(64, 64, 640, 16), cuts), m, ScalarType::float64).communication;
  };
  const double panels = 3 * 16 * 640 * 8;  // bytes along m in all
  EXPECT_LT(seconds("pm4"), 0.11 * (3 * 1e-6 + panels * 1e-9));
  EXPECT_NEAR(seconds("pm2,pn8"), seconds("pn8,pm2"), 0.5 * seconds("pm2,pn8"));
  EXPECT_LT(seconds("pm16"), 15 * 1e-6 + 60 * 640 * 8 * 1e-9);
}

TEST(Clock, AMillionRanksOverlapSomeCommunicationWithComputation) {
  const GemmProblem p = problem(100003, 100019, 100043, 1000000);
  const Times t = clock(cosma_schedule(p, "pm100,pn100,pk100,sk3", 1), find_machine("generic"), ScalarType::float64);
  EXPECT_GT(t.seconds, t.computation);
  EXPECT_LT(t.seconds, t.computation + t.communication + t.steps);
}

// One broadcast of 64 words from rank 0 to all of q ranks, and a product of 8 x 8 x 8 on each.
Schedule one_bcast(Int q) {
  Builder s("bcast", 8, 8, 8, Grid({{"i", q}}), q);
  const Layout everywhere = s.layout({0, 8}, {}, {0, 8}, {}, Order::col);
  Layout at_root = everywhere;
  at_root.where = {{0, 0}};
  const Slot A = s.bcast(s.input("A", at_root, at_root, false), 0, Affine(0));
  const Slot B = s.input("B", everywhere, everywhere, false), C = s.output("C", everywhere, everywhere);
  s.gemm(A, B, C);
  return expand_collectives(s.done());
}
constexpr double product_of_8 = 2 * 512 * 1e-9, latency = 1e-6, port_of_64 = 64 * 8 * 1e-9;

// The root of 8 sends to its three children one after another: a rank may not take part in a step while it still sends
// from the memory that the step writes. Its first child has two children then, and of these the first has one.
TEST(Clock, ATreeTakesAMessageForEachOfItsRounds) {
  for (const auto& [q, rounds] : {std::pair{2, 1}, {4, 2}, {5, 3}, {8, 3}, {16, 4}}) {
    const Times t = clock(one_bcast(q), simple(), ScalarType::float64);
    EXPECT_NEAR(t.seconds, rounds * (latency + port_of_64) + product_of_8, 1e-15) << q;
    EXPECT_NEAR(t.exposed, t.seconds - product_of_8, 1e-15) << q;
  }
  EXPECT_NEAR(clock(one_bcast(8), simple(), ScalarType::float64).communication, latency + port_of_64, 1e-15);
}

TEST(Clock, TheGapKeepsPortsAndOverheadsKeepCores) {
  Machine m = simple();
  m.levels[0].gap_seconds = 1e-7;
  EXPECT_NEAR(clock(one_bcast(4), m, ScalarType::float64).seconds, 2 * (latency + port_of_64 + 1e-7) + product_of_8,
              1e-15);
  m.levels[0].overhead_seconds = 1e-8;
  const Timing t = clock_all(one_bcast(2), m, ScalarType::float64);
  EXPECT_NEAR(t.last.seconds, latency + port_of_64 + 1e-7 + 1e-8 + product_of_8, 1e-15);
  EXPECT_NEAR(t.steps.min, 1e-8, 1e-20);
  EXPECT_NEAR(t.steps.max, 1e-8, 1e-20);
}

// Both ranks send to each other at the same time.
Schedule one_exchange(Int by) {
  Schedule s;
  s.grid = Grid({{"i", 2}});
  s.ranks = 2;
  Layout l;
  l.grid = s.grid;
  l.rows = l.cols = {{0, 8}, {}};
  s.slots = {{"A", l, SlotInfo::Role::operand, -1},
             {"A1", l, SlotInfo::Role::panel, -1},
             {"B", l, SlotInfo::Role::operand, -1},
             {"C", l, SlotInfo::Role::result, -1}};
  s.steps = {{Shift{0, 1, 0, Affine(by), Affine(), {0, 2}}, "1"}, {Compute{Kernel::gemm, 1, 2, 3, Update::beta}, "2"}};
  return s;
}

TEST(Clock, PortsSendAndReceiveAtTheSameTime) {
  EXPECT_NEAR(clock(one_exchange(1), simple(), ScalarType::float64).seconds, latency + port_of_64 + product_of_8,
              1e-15);
}

TEST(Clock, WhatMovesNowhereIsACopy) {
  Machine m = simple();
  m.copy_seconds_per_byte = 1e-10;
  EXPECT_NEAR(clock(one_exchange(0), m, ScalarType::float64).seconds, 512 * 1e-10 + product_of_8, 1e-15);
}

// The product of the first value hides the journey of the second one.
TEST(Clock, TheCoreWaitsOnlyForWhatItReads) {
  Schedule s = one_exchange(1);
  s.slots.push_back({"B1", s.slots[0].layout, SlotInfo::Role::panel, -1});
  s.steps = {{Shift{2, 4, 0, Affine(1), Affine(), {0, 2}}, "1"},
             {Compute{Kernel::gemm, 0, 2, 3, Update::beta}, "2"},
             {Compute{Kernel::gemm, 0, 4, 3, Update::accumulate}, "3"}};
  const Timing t = clock_all(s, simple(), ScalarType::float64);
  const double journey = latency + port_of_64;
  ASSERT_GT(journey, product_of_8);
  EXPECT_NEAR(t.last.seconds, journey + product_of_8, 1e-15);
  EXPECT_NEAR(t.exposed.max, journey - product_of_8, 1e-15);
  EXPECT_NEAR(t.communication.mean, journey, 1e-15);
  EXPECT_EQ(t.idle.max, 0);
}

TEST(Clock, ActivitiesOfARankFollowEachOther) {
  std::vector<Activity> seen;
  const Timing t =
      clock_all(one_bcast(8), simple(), ScalarType::float64, [&](const Activity& a) { seen.push_back(a); });
  double core = 0, waited = 0;
  for (const Activity& a : seen) {
    if (a.rank != 7 || a.kind == Activity::Kind::receive) continue;
    EXPECT_GE(a.start, core);
    core = a.end;
    if (a.kind != Activity::Kind::wait) continue;
    waited += a.end - a.start;
    EXPECT_EQ(a.from, 3);
  }
  EXPECT_NEAR(core, t.last.seconds, 1e-15);
  EXPECT_NEAR(waited, t.last.exposed, 1e-15);
  EXPECT_EQ(clock(one_bcast(8), simple(), ScalarType::float64).seconds, t.last.seconds);  // watched or not
}

TEST(Clock, RedistributionIsPaid) {
  GemmProblem p = problem(40, 40, 40, 4);
  const double before = clock(cosma_schedule(p, "pm4"), simple(), ScalarType::float64).seconds;
  p.a = Layout::col_blocks(40, 40, 4);
  const double after = clock(cosma_schedule(p, "pm4"), simple(), ScalarType::float64).seconds;
  EXPECT_NEAR(after - before, 1e-6 + 300 * 8 * 1e-9, 1e-12);
}

// A clock that is watched follows every rank with all care. Messages of latency alone, and long ones.
TEST(Clock, VeryManyRanksAreFollowedWithLessCare) {
  for (Int m : {1024, 1 << 16}) {
    Schedule s = make_algorithm(problem(m, m, 4096, 1 << 17), "summa 512x256 b=8").schedule;
    s.steps.erase(s.steps.begin() + 12, s.steps.end());
    const Schedule wire = expand_collectives(s);
    const Times fast = clock(wire, simple(), ScalarType::float64),
                careful = clock_all(wire, simple(), ScalarType::float64, [](const Activity&) {}).last;
    EXPECT_DOUBLE_EQ(fast.computation, careful.computation);
    EXPECT_NEAR(fast.seconds, careful.seconds, 0.15 * careful.seconds);
  }
}

}  // namespace
}  // namespace cairn
