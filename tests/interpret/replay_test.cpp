// The executor's own programs, replayed message by message.
#include "interpret/replay/replay.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>

#include "interpret/count.hpp"
#include "interpret/replay/network.hpp"
#include "random_schedules.hpp"
#include "schedule/builder.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {
namespace {

using testing::Random;

constexpr double rounding = 1e-9;  // relative

// --- the network

std::map<std::size_t, double> ends(Network& network) {
  std::map<std::size_t, double> all;
  while (network.next() < 1e9) {
    const double end = network.next();
    all[network.finish()] = end;
  }
  return all;
}

TEST(Network, APortSharesItsRateAmongWhatItCarries) {
  Network network(4);
  network.start(0, 0, 1, 1);  // two leave rank 0, of which the second is longer
  network.start(0, 0, 2, 3);
  network.start(0, 3, 0, 1);  // the other direction is free
  EXPECT_EQ(ends(network), (std::map<std::size_t, double>{{0, 2}, {1, 4}, {2, 1}}));
}

TEST(Network, TheBusierOfItsPortsHoldsAMessageUp) {
  Network network(4);
  network.start(0, 0, 3, 1);
  network.start(0, 1, 3, 1);
  network.start(0, 2, 3, 1);
  network.start(0, 0, 1, 1);  // half of rank 0's port is its, whatever the other half carries
  EXPECT_EQ(ends(network), (std::map<std::size_t, double>{{0, 3}, {1, 3}, {2, 3}, {3, 2}}));
}

TEST(Network, WhatComesLaterTakesItsShareFromThenOn) {
  Network network(3);
  network.start(0, 0, 1, 2);
  network.start(1, 0, 2, 1);
  EXPECT_EQ(ends(network), (std::map<std::size_t, double>{{0, 3}, {1, 3}}));
}

struct Sent {
  double start;
  Int from, to;
  double seconds;
};

// Each message for itself: shares last until the next one starts or ends.
std::map<std::size_t, double> one_by_one(const std::vector<Sent>& all) {
  std::map<std::size_t, double> left, through;
  std::size_t started = 0;
  for (double now = 0; through.size() < all.size();) {
    for (; started < all.size() && all[started].start <= now; ++started) left[started] = all[started].seconds;
    std::map<Int, double> sent, received;
    for (const auto& [m, seconds] : left) ++sent[all[m].from], ++received[all[m].to];
    const auto shared_by = [&](std::size_t m) { return std::max(sent[all[m].from], received[all[m].to]); };
    double next = started < all.size() ? all[started].start : std::numeric_limits<double>::infinity();
    std::size_t first = all.size();
    for (const auto& [m, seconds] : left)
      if (now + seconds * shared_by(m) < next) next = now + seconds * shared_by(m), first = m;
    for (auto& [m, seconds] : left) seconds -= (next - now) / shared_by(m);
    now = next;
    if (first < all.size()) through[first] = now, left.erase(first);
  }
  return through;
}

TEST(Network, MessagesBetweenTheSameRanksAreSharedAsIfEachWereFollowed) {
  std::mt19937_64 random(70);
  const auto draw = [&](double below) { return std::uniform_real_distribution<double>(0, below)(random); };
  std::vector<Sent> all;
  for (double now = 0; all.size() < 300; now += draw(0.5))
    all.push_back({now, static_cast<Int>(draw(4)), static_cast<Int>(draw(4)), 0.1 + draw(1)});
  Network network(4);
  std::map<std::size_t, double> through;
  const auto finish = [&](double until) {
    while (network.next() <= until) {
      const double end = network.next();
      through[network.finish()] = end;
    }
  };
  for (const Sent& m : all) {
    finish(m.start);
    network.start(m.start, m.from, m.to, m.seconds);
  }
  finish(1e9);
  const std::map<std::size_t, double> expected = one_by_one(all);
  ASSERT_EQ(through.size(), expected.size());
  for (const auto& [m, end] : expected) EXPECT_NEAR(through[m], end, 1e-9 * end) << m;
}

// --- the replay

Machine machine() {
  Machine m;
  m.levels = {{"network", 0, 1e-5, 1e-9}};
  m.gemm.flops_per_second.fill(5e10);
  m.gemm.half_size = 8;
  return m;
}

Schedule schedule(const GemmProblem& p, const char* spelling, const char* collectives, int depth) {
  Schedule s = look_ahead(make_algorithm(p, spelling).schedule, depth);
  const Collectives ways = parse_collectives(collectives);
  for (LabelledStep& l : s.steps) {
    if (auto* b = std::get_if<Bcast>(&l.step)) b->how = ways[Collective::bcast];
    if (auto* r = std::get_if<Reduce>(&l.step)) r->how = ways[Collective::reduce];
    if (auto* g = std::get_if<AllGather>(&l.step)) g->how = ways[Collective::allgather];
    if (auto* r = std::get_if<ReduceScatter>(&l.step)) r->how = ways[Collective::reduce_scatter];
  }
  return expand_collectives(s);
}
Schedule schedule(Int n, Int ranks, const char* spelling, const char* collectives, int depth = 0) {
  GemmProblem p;
  p.m = p.n = p.k = n, p.ranks = ranks;
  return schedule(p, spelling, collectives, depth);
}

// Where no rank sends two messages of different steps at once.
TEST(Replay, FindsWhatTheClockFindsWherePortsCarryOneStepAtATime) {
  const Machine m = machine();
  const std::pair<const char*, const char*> all[] = {
      {"summa 4x4 b=256", "bcast=binomial"},
      {"summa 4x4 b=256 stationary=a", "bcast=binomial, reduce=binomial"},
      {"cannon 4x4", ""},
      {"cosma pm4,pn4,sk4", "allgather=direct"},
      {"cosma pm2,pn2,pk4", "allgather=bruck, reduce_scatter=halving"},
      {"agarwal3d 2x2x4", "bcast=binomial, allgather=direct, reduce_scatter=halving"},
  };
  for (const auto& [spelling, collectives] : all) {
    const Schedule s = schedule(1024, 16, spelling, collectives);
    const Timing replayed = replay(s, m, ScalarType::float64), clocked = clock_all(s, m, ScalarType::float64);
    EXPECT_NEAR(replayed.last.seconds, clocked.last.seconds, 0.01 * clocked.last.seconds) << spelling;
    EXPECT_NEAR(replayed.computation.mean, clocked.computation.mean, rounding) << spelling;
    EXPECT_NEAR(replayed.communication.mean, clocked.communication.mean, rounding) << spelling;
  }
}

// A solve from the left, whose panels are sent to all of a line at once, or are copied to layers one after another.
Schedule solution(Int order, Int others, Int ranks, const char* spelling) {
  SolveProblem p;
  p.m = order, p.n = others, p.ranks = ranks;
  return expand_collectives(look_ahead(make_algorithm(p, spelling), 4));
}

TEST(Replay, TheClockKnowsThatMessagesToSeveralRanksShareAPort) {
  const Schedule s = solution(200, 25, 8, "trsm 8x1 b=32");
  const double replayed = replay(s, machine(), ScalarType::float64).last.seconds;
  EXPECT_NEAR(replayed, clock(s, machine(), ScalarType::float64).seconds, rounding * replayed);
}

// Not to rounding: the copies also share ports, of which the clock knows less. With machine() they are 3.4 % apart.
TEST(Replay, TheClockKnowsThatPanelsOfACopyArriveOneByOne) {
  SolveProblem p{.m = 256, .n = 32, .ranks = 2};  // one rank has all right-hand sides
  p.b = Layout::block_cyclic(256, 32, {.mb = 64, .nb = 64, .pr = 1, .pc = 2});
  const Schedule s = expand_collectives(look_ahead(make_algorithm(p, "trsm25d 1x1x2 b=64"), 4));
  const Machine generic = find_machine("generic");
  const double replayed = replay(s, generic, ScalarType::float64).last.seconds;
  EXPECT_NEAR(replayed, clock(s, generic, ScalarType::float64).seconds, 0.01 * replayed);
}

// A root posts the panels of two rounds at once; the clock lets the first one go first.
TEST(Replay, BroadcastsThatArePostedTogetherShareTheRootsPort) {
  const Machine m = machine();
  for (const char* collectives : {"bcast=chain:8", "bcast=scatter_allgather"}) {
    const Schedule s = schedule(1024, 16, "summa 4x4 b=256", collectives);
    EXPECT_GT(replay(s, m, ScalarType::float64).last.seconds, 1.05 * clock(s, m, ScalarType::float64).seconds);
  }
}

// A tree's later messages travel beside the product, which is cut into pieces for it.
TEST(Replay, LookAheadHidesTheRoundsOfATree) {
  const Machine m = machine();
  const auto seconds = [&](int depth) {
    return replay(schedule(4096, 16, "summa 4x4 b=256", "bcast=binomial", depth), m, ScalarType::float64).last.seconds;
  };
  EXPECT_LT(seconds(1), 0.95 * seconds(0));
}

// As in communication-avoiding-overlapping-2012 §IV: messages that fit beneath the products, panels as wide as a rank's
// block and narrower ones, products in pieces and not, trees of panels and of sums.
struct Overlapped {
  Int n, ranks;
  const char* spelling;
  double share;  // of the time without look-ahead that is left with it, at most
};
const Overlapped overlapped[] = {
    {32768, 256, "summa 16x16 b=2048", 0.8},
    {32768, 256, "summa 16x16 b=512", 0.8},
    {16384, 64, "summa 8x8 b=256", 0.9},
    {2048, 64, "summa 8x8 b=256", 0.8},
    {4096, 256, "summa 16x16 b=256 stationary=a", 0.9},
    {16384, 256, "summa25d 8x8x4 b=1024", 0.95},
    {16384, 256, "hsumma 16x16 groups=4x4 M=1024 b=256", 0.85},
};

TEST(Replay, LookAheadHidesTreesBeneathProductsAndTheClockSeesIt) {
  const Machine hopper = find_machine("hopper");
  for (const Overlapped& c : overlapped) {
    SCOPED_TRACE(c.spelling);
    const auto wire = [&](int depth) {
      return schedule(c.n, c.ranks, c.spelling, "bcast=binomial, reduce=binomial", depth);
    };
    const double none = replay(wire(0), hopper, ScalarType::float64).last.seconds,
                 one = replay(wire(1), hopper, ScalarType::float64).last.seconds;
    EXPECT_LT(one, c.share * none);
    EXPECT_NEAR(clock(wire(1), hopper, ScalarType::float64).seconds, one, 0.1 * one);
  }
}

// COSMA's rounds of m and n end with sums that every rank has a part of: their messages go before those of the panels
// of the round after the next.
TEST(Replay, SumsOfARoundDoNotQueueBehindPanelsOfLaterOnes) {
  const Machine m = machine();
  for (const char* spelling : {"cosma pm4,pn2,pk2,sn8", "cosma pm8,pk2,sn8", "cosma pm2,pn4,pk2,sm4"}) {
    SCOPED_TRACE(spelling);
    const auto seconds = [&](int depth) {
      const Schedule s = schedule(1024, 16, spelling, "allgather=direct, reduce_scatter=direct", depth);
      const double replayed = replay(s, m, ScalarType::float64).last.seconds;
      EXPECT_NEAR(clock(s, m, ScalarType::float64).seconds, replayed, 0.02 * replayed);
      return replayed;
    };
    EXPECT_LT(seconds(1), 0.87 * seconds(0));
  }
}

// A's panels come from 22 ranks and B's from one, whose message would get a 23rd of the port, and less if the next
// round's were under way. Messages take longer than products.
TEST(Replay, GathersOfLaterRoundsHoldUpNothing) {
  Machine m = machine();
  m.levels = {{"network", 0, 1.5e-6, 2e-9}};
  m.gemm.flops_per_second.fill(3.5e10);
  GemmProblem p;
  p.m = 486, p.n = 5807, p.k = 436, p.ranks = 46;
  for (const char* spelling : {"cosma pm2,pn23,sk20", "cosma pm2,pn23,sk10", "cosma pm2,pn23,sk5"}) {
    SCOPED_TRACE(spelling);
    const auto seconds = [&](int depth) {
      const Schedule s = schedule(p, spelling, "allgather=direct", depth);
      const double replayed = replay(s, m, ScalarType::float64).last.seconds;
      EXPECT_NEAR(clock(s, m, ScalarType::float64).seconds, replayed, 0.001 * replayed);
      return replayed;
    };
    EXPECT_LT(seconds(1), 0.7 * seconds(0));
  }
}

TEST(Replay, ReceivesTheMessagesThatAreCountedOnEveryRank) {
  Random random(71);
  for (int round = 0; round < 100; ++round) {
    const Schedule s = testing::random_wire(random);
    std::map<Int, Int> received;
    replay(s, machine(), ScalarType::float64, [&](const Activity& a) {
      if (a.kind == Activity::Kind::receive) ++received[a.rank];
    });
    for (Int r = 0; r < s.ranks; ++r) EXPECT_EQ(received[r], count(s, s, r).messages) << s.algorithm << ", rank " << r;
  }
}

TEST(Replay, WaitsAddUpAndWatchingChangesNothing) {
  Random random(72);
  for (int round = 0; round < 100; ++round) {
    const Schedule s = testing::random_wire(random);
    std::map<Int, double> waits;
    const Timing watched = replay(s, machine(), ScalarType::float64, [&](const Activity& a) {
      if (a.kind == Activity::Kind::wait) waits[a.rank] += a.end - a.start;
    });
    const Timing t = replay(s, machine(), ScalarType::float64);
    EXPECT_EQ(t.last.seconds, watched.last.seconds);
    EXPECT_NEAR(waits[t.last.rank], t.last.exposed, 1e-12) << s.algorithm;
    EXPECT_NEAR(t.last.seconds, t.last.computation + t.last.steps + t.last.exposed, 1e-12) << s.algorithm;
  }
}

TEST(Replay, AllTakesTwiceAsLongOnAMachineThatIsTwiceAsSlow) {
  Random random(73);
  Machine slow = machine();
  for (double* x : {&slow.levels[0].latency_seconds, &slow.levels[0].seconds_per_byte}) *x *= 2;
  for (double& x : slow.gemm.flops_per_second) x /= 2;
  for (int round = 0; round < 100; ++round) {
    const Schedule s = testing::random_wire(random);
    const double once = replay(s, machine(), ScalarType::float64).last.seconds;
    EXPECT_NEAR(replay(s, slow, ScalarType::float64).last.seconds, 2 * once, rounding * once) << s.algorithm;
  }
}

// A reduce-scatter holds two pieces at a time: the third is received once the first has been added.
TEST(Replay, ADirectReduceScatterReceivesTwoPiecesAtATime) {
  constexpr Int q = 4;
  Builder b("sum", q * 64, 1, 1, Grid({{"i", q}}), q);
  const Layout all = b.layout({0, q * 64}, {}, {0, 1}, {}, Order::col),
               spread = b.layout({0, q * 64}, {Cut::even(b.grid(), 0)}, {0, 1}, {}, Order::col);
  b.reduce_scatter(b.input("A", all, all, false), b.scratch("C", spread), 0);
  const Machine m = machine();
  const double port = 64 * 8 * m.levels[0].seconds_per_byte, latency = m.levels[0].latency_seconds;
  EXPECT_NEAR(replay(expand_collectives(b.done()), m, ScalarType::float64).last.seconds, 2 * latency + 3 * port, 1e-12);
}

}  // namespace
}  // namespace cairn
