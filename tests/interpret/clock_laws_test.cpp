// What must hold of the clock whatever the schedule, on random ones of every algorithm.
#include <gtest/gtest.h>

#include "interpret/clock.hpp"
#include "interpret/count.hpp"
#include "planner/plan_data.hpp"
#include "problem.hpp"
#include "random_schedules.hpp"

namespace cairn {
namespace {

using testing::below;
using testing::Random;

constexpr int rounds = 300;
constexpr double rounding = 1e-12;  // relative

// A node and a network, every figure above zero.
Machine two_levels(Random& random) {
  const auto some = [&](double unit) { return unit * static_cast<double>(1 + below(random, 1000)); };
  Machine m;
  m.levels = {{"node", 1 + below(random, 5), some(1e-9), some(1e-12), some(1e-10), some(1e-10)},
              {"network", 0, some(1e-8), some(1e-11), some(1e-9), some(1e-9)}};
  m.gemm.flops_per_second.fill(some(1e7));
  m.gemm.half_size = 8;
  m.copy_seconds_per_byte = some(1e-12);
  m.step_seconds = some(1e-10);
  return m;
}

// Everything that takes time, times a factor of its own.
Machine scaled(Machine m, const std::function<double()>& factor) {
  for (Machine::Level& l : m.levels)
    for (double* x : {&l.latency_seconds, &l.seconds_per_byte, &l.overhead_seconds, &l.gap_seconds}) *x *= factor();
  for (double& x : m.gemm.flops_per_second) x /= factor();
  m.copy_seconds_per_byte *= factor();
  m.step_seconds *= factor();
  return m;
}

Machine nowhere_slower(const Machine& m, Random& random) {
  return scaled(m, [&] { return below(random, 2) == 0 ? 1.0 : 0.1 * static_cast<double>(below(random, 11)); });
}

void expect_no_later(const Timing& fast, const Timing& slow, const std::string& what) {
  EXPECT_LE(fast.last.seconds, slow.last.seconds * (1 + rounding)) << what;
  EXPECT_LE(fast.finish.mean, slow.finish.mean * (1 + rounding)) << what;
  EXPECT_LE(fast.finish.min, slow.finish.min * (1 + rounding)) << what;
}

// Where messages wait for each other, every time is made of sums and maxima of the machine's figures, so that none gets
// less by making one of them greater. (Where a table says what messages take, the gap is no figure of its own.)
TEST(ClockLaws, InTurnNothingGetsSlowerOnAMachineThatIsNowhereSlower) {
  Random random(31);
  for (int round = 0; round < rounds; ++round) {
    const Schedule s = testing::random_wire(random);
    const Machine slow = two_levels(random), fast = nowhere_slower(slow, random);
    expect_no_later(clock_all(s, fast, ScalarType::float64, {}, Ports::in_turn),
                    clock_all(s, slow, ScalarType::float64, {}, Ports::in_turn), s.algorithm);
  }
}

// Not so where ports are shared: a message that is ready earlier takes half the port from one that is waited for. It
// still holds of direct exchanges without look-ahead, where all that is on its way is waited for together.
TEST(ClockLaws, DirectExchangesGetNoSlowerOnAMachineThatIsNowhereSlower) {
  Random random(36);
  for (int round = 0; round < rounds; ++round) {
    const Schedule s = testing::random_exchanges(random);
    const Machine slow = two_levels(random), fast = nowhere_slower(slow, random);
    expect_no_later(clock_all(s, fast, ScalarType::float64), clock_all(s, slow, ScalarType::float64), s.algorithm);
  }
}

TEST(ClockLaws, AllTakesTwiceAsLongOnAMachineThatIsTwiceAsSlow) {
  Random random(32);
  for (int round = 0; round < rounds; ++round) {
    const Schedule s = testing::random_wire(random);
    const Machine m = two_levels(random);
    const Times once = clock(s, m, ScalarType::float64),
                twice = clock(s, scaled(m, [] { return 2; }), ScalarType::float64);
    EXPECT_DOUBLE_EQ(twice.seconds, 2 * once.seconds) << s.algorithm;
    EXPECT_DOUBLE_EQ(twice.communication, 2 * once.communication) << s.algorithm;
    EXPECT_DOUBLE_EQ(twice.exposed, 2 * once.exposed) << s.algorithm;
  }
}

// Nobody ends before its core has done its work, nor before its words have come in one after another.
TEST(ClockLaws, NobodyIsFasterThanItsCoreOrItsPort) {
  Random random(33);
  for (int round = 0; round < rounds; ++round) {
    const Schedule s = testing::random_wire(random);
    Machine m = two_levels(random);
    m.levels.erase(m.levels.begin());
    const Timing t = clock_all(s, m, ScalarType::float64);
    EXPECT_GE(t.last.seconds * (1 + rounding), t.computation.max) << s.algorithm;
    for (Int rank = 0; rank < s.grid.size(); ++rank) {
      const Count c = count(s, s, rank);
      const auto bytes = static_cast<double>(c.wire_words * size_of(ScalarType::float64));
      const double port = c.messages == 0 ? 0 : m.levels[0].latency_seconds + bytes * m.levels[0].seconds_per_byte;
      EXPECT_GE(t.last.seconds * (1 + rounding), port) << s.algorithm << ", rank " << rank;
    }
  }
}

void expect_same(const Timing& a, const Timing& b, const std::string& what) {
  const double scale = std::max(a.last.seconds, 1e-9);
  EXPECT_NEAR(a.last.seconds, b.last.seconds, rounding * scale) << what;
  for (auto part : {&Timing::finish, &Timing::computation, &Timing::communication, &Timing::steps, &Timing::idle}) {
    EXPECT_NEAR((a.*part).max, (b.*part).max, 1e2 * rounding * scale) << what;
    EXPECT_NEAR((a.*part).mean, (b.*part).mean, 1e2 * rounding * scale) << what;
    EXPECT_NEAR((a.*part).min, (b.*part).min, 1e2 * rounding * scale) << what;
  }
}

TEST(ClockLaws, WatchingChangesNothing) {
  Random random(34);
  for (int round = 0; round < rounds; ++round) {
    const Schedule s = testing::random_wire(random);
    const Machine m = two_levels(random);
    expect_same(clock_all(s, m, ScalarType::float64), clock_all(s, m, ScalarType::float64, [](const Activity&) {}),
                s.algorithm);
  }
}

// Where messages are ready at the same time, a rounding error would decide which of them comes first.
TEST(ClockLaws, WatchingDecidesNoTies) {
  Options o;
  o.algorithm = "summa 4x1 b=4", o.collectives = "bcast=binomial", o.look_ahead = 2;
  const Plan p = plan(testing::problem(240, 288, 288, 4), o);
  const Machine m = find_machine("graphene");
  EXPECT_EQ(clock_all(p.data().wire, m, ScalarType::float64).last.seconds,
            clock_all(p.data().wire, m, ScalarType::float64, [](const Activity&) {}).last.seconds);
}

// With two levels of the same figures every rank is looked at by itself; with one, COSMA's by classes of coordinates.
TEST(ClockLaws, ClassesTellTheSameTimeAsAllRanks) {
  Random random(35);
  for (int round = 0; round < rounds; ++round) {
    const Schedule s = testing::random_wire(random, round % 2 == 0);
    Machine far = two_levels(random), near = far;
    near.levels.erase(near.levels.begin());
    const Int ranks = far.levels[0].ranks;
    far.levels[0] = far.levels[1];
    far.levels[0].name = "group", far.levels[0].ranks = ranks;
    expect_same(clock_all(s, near, ScalarType::float64), clock_all(s, far, ScalarType::float64), s.algorithm);
  }
}

}  // namespace
}  // namespace cairn
