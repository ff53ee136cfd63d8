// The closed forms by which the planner searches are what count and clock find on the real schedule.
#include "planner/cosma_cost.hpp"

#include <gtest/gtest.h>

#include <random>

#include "interpret/clock.hpp"
#include "interpret/count.hpp"
#include "planner/grid_bounds.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {
namespace {

GemmProblem problem(const Dims& d, Int ranks) {
  GemmProblem p;
  p.m = d.m, p.n = d.n, p.k = d.k, p.ranks = ranks;
  return p;
}

Int one_of(std::mt19937& random, Int most) {
  return std::uniform_int_distribution<Int>(0, 9)(random) == 0 ? 0
                                                               : std::uniform_int_distribution<Int>(1, most)(random);
}

struct Case {
  Dims d;
  CosmaWay w;
};

Case any_case(std::mt19937& random) {
  const Int most = std::uniform_int_distribution<Int>(0, 1)(random) ? 12 : 200;
  Case c{{one_of(random, most), one_of(random, most), one_of(random, most)}, {}};
  const auto parts = [&] { return std::uniform_int_distribution<Int>(1, 6)(random); };
  c.w.pm = parts(), c.w.pn = parts(), c.w.pk = parts();
  c.w.loop = "kkmn"[std::uniform_int_distribution<int>(0, 3)(random)];
  const Int each = c.w.loop == 'm' ? c.d.m / c.w.pm : c.w.loop == 'n' ? c.d.n / c.w.pn : c.d.k / c.w.pk;
  c.w.rounds = std::uniform_int_distribution<Int>(1, std::max<Int>(1, std::min<Int>(20, each)))(random);
  c.w.look_ahead = static_cast<int>(std::uniform_int_distribution<Int>(0, 2)(random));
  const BothWays which = random() % 2 == 0 ? BothWays::everywhere : BothWays::where_needed;
  if (const auto both = both_ways(c.d, c.w, which); c.w.loop == 'k' && !both.empty() && random() % 2 == 0)
    c.w = both[random() % both.size()];
  return c;
}

std::string name(const Case& c) {
  return print_cosma_cuts(c.w.cuts()) + " look-ahead " + std::to_string(c.w.look_ahead) + " of " +
         std::to_string(c.d.m) + "x" + std::to_string(c.d.n) + "x" + std::to_string(c.d.k);
}

Totals counted(const Case& c) {
  const Schedule s = look_ahead(cosma(problem(c.d, c.w.ranks()), c.w.cuts()), c.w.look_ahead);
  return count_all(s, expand_collectives(s));
}

// Where rounds of m or n overlap, partial sums and the panels of several rounds do not always fit together without a
// gap.
TEST(CosmaCost, ReceivedAndMemoryAreWhatCountFinds) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const Case c = any_case(random);
    const Totals t = counted(c);
    ASSERT_EQ(cosma_received(c.d, c.w).most(), t.max.received) << name(c);
    const Int memory = cosma_memory(c.d, c.w);
    if (c.w.pk2 > 1) {  // buffers for two sums do not always fit in where panels were
      EXPECT_LE(memory, t.max.peak_words) << name(c);
      EXPECT_LE(t.max.peak_words, memory + ceil_div(c.d.m, c.w.pm) * ceil_div(c.d.n, c.w.pn)) << name(c);
    } else if (c.w.loop == 'k' || c.w.rounds == 1 || c.w.look_ahead == 0) {
      EXPECT_EQ(memory, t.max.peak_words) << name(c);
    } else {
      EXPECT_LE(memory, t.max.peak_words) << name(c);
    }
  }
}

TEST(CosmaCost, FewestRoundsAreTheFirstThatFit) {
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    Case c = any_case(random);
    const auto words = [&](Int rounds) {
      c.w.rounds = rounds;
      return cosma_memory(c.d, c.w);
    };
    const Int most = most_rounds(c.d, c.w), from = c.w.loop == 'k' ? 1 : 2;
    if (most < from) continue;
    Int least = words(from), largest = least;
    for (Int t = from; t <= most; ++t) least = std::min(least, words(t)), largest = std::max(largest, words(t));
    ASSERT_EQ(least_memory(c.d, c.w), least) << name(c);
    ASSERT_FALSE(fewest_rounds(c.d, c.w, least - 1)) << name(c);
    for (Int limit : {least, least + (largest - least) / 2, largest - 1}) {
      if (limit < least) continue;
      Int first = from;
      while (words(first) > limit) ++first;
      ASSERT_EQ(fewest_rounds(c.d, c.w, limit), first) << name(c) << " in " << limit;
    }
  }
}

// Where panels of many rounds share the port, the closed form is only near.
TEST(CosmaCost, SecondsAreTheClocksWhereEverythingIsEven) {
  const Machine machine = find_machine("generic");
  const Dims d{960, 1440, 1920};
  for (Int pm : {1, 2, 4})
    for (Int pn : {1, 3})
      for (Int pk : {1, 4})
        for (Int rounds : {1, 2, 5})
          for (int look_ahead : {0, 1}) {
            CosmaWay w;
            w.pm = pm, w.pn = pn, w.pk = pk, w.rounds = rounds, w.look_ahead = look_ahead;
            const Schedule s =
                expand_collectives(cairn::look_ahead(cosma(problem(d, w.ranks()), w.cuts()), look_ahead));
            const double closed = CosmaClock(d, machine, ScalarType::float64).seconds(w, cosma_received(d, w));
            const double near = look_ahead > 0 && rounds > look_ahead + 1 ? 0.04 : 0.01;
            ASSERT_NEAR(clock(s, machine, ScalarType::float64).seconds, closed, near * closed) << name({d, w});
          }
}

// Sums shared both ways, as the search has them, on a machine of one level: within so much of the faster ways.
void expect_near_the_clock(const Dims& d, double near) {
  Machine machine = find_machine("generic");
  machine.levels = {machine.levels.back()};
  for (Int pm : {1, 2})
    for (Int pn : {1, 4})
      for (Int pk : {128, 256}) {
        CosmaWay w;
        w.pm = pm, w.pn = pn, w.pk = pk;
        const std::vector<CosmaWay> ways = both_ways(d, w, BothWays::everywhere);
        ASSERT_FALSE(ways.empty());
        for (const CosmaWay& both : ways) {
          Schedule s = cosma(problem(d, w.ranks()), both.cuts());
          double clocked = 1;
          for (Way first : {Way::direct, Way::halving})
            for (Way second : {Way::direct, Way::halving}) {
              bool begun = false;
              for (LabelledStep& step : s.steps)
                if (sums(effect(step.step))) carry_out(step.step, {begun ? second : first, 0}), begun = true;
              clocked = std::min(clocked, clock(expand_collectives(s), machine, ScalarType::float64).seconds);
            }
          const double closed = CosmaClock(d, machine, ScalarType::float64).seconds(both, cosma_received(d, both));
          EXPECT_NEAR(clocked, closed, near * closed) << name({d, both}) << " " << print_cosma_cuts(both.cuts());
        }
      }
}

// Or else the search would leave out what is fastest: also where sums are halved, as latency is dear.
TEST(CosmaCost, NoGridUndercutsTheBoundOfItsBox) {
  std::mt19937 random(7);
  const auto up_to = [&](Int most) { return std::uniform_int_distribution<Int>(1, most)(random); };
  Machine machine = find_machine("local");
  machine.levels = {machine.levels.back()};
  for (double gap : {1.0, 0.1}) {
    machine.levels.front().gap_seconds = gap * machine.levels.front().latency_seconds;
    for (int i = 0; i < 1000; ++i) {
      const Dims d{up_to(2000), up_to(i % 2 ? 2000 : 15), up_to(2000)};
      CosmaWay w;
      w.pm = up_to(std::min<Int>(20, d.m)), w.pn = up_to(std::min<Int>(20, d.n)), w.pk = up_to(std::min<Int>(64, d.k));
      GridBox box{w.grid(), w.grid()};
      for (std::size_t x = 0; x < 3; ++x) box.lo[x] = up_to(box.lo[x]), box.hi[x] += up_to(4) - 1;
      const BothWays which = i % 4 < 2 ? BothWays::everywhere : BothWays::where_needed;
      const CosmaClock clock(d, machine, ScalarType::float64);
      const GridBounds bounds(d, which);
      const double bound = clock.at_least(bounds.least(box, w.ranks() + up_to(8) - 1));
      std::vector<CosmaWay> ways = both_ways(d, w, which);
      ways.push_back(w);
      for (const CosmaWay& way : ways) {
        ASSERT_LE(bound, (1 + 1e-12) * clock.seconds(way, cosma_received(d, way))) << name({d, way});
        ASSERT_LE(bounds.memory(box, false), (1 + 1e-12) * static_cast<double>(least_memory(d, way))) << name({d, way});
      }
    }
  }
}

TEST(CosmaCost, SecondsAreTheClocksWhereSumsAreSharedBothWays) { expect_near_the_clock({32, 1024, 65536}, 0.01); }

// Of 64 columns shared by 128 ranks half of the ranks get none, and the halves of halving are not halves.
TEST(CosmaCost, SecondsAreNearTheClocksWhereThereAreFewerColumnsThanRanks) {
  expect_near_the_clock({32, 64, 65536}, 0.12);
}

}  // namespace
}  // namespace cairn
