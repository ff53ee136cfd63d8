// What the clock of very many ranks leaves out changes nothing.
#include "interpret/recurring_rounds.hpp"

#include <gtest/gtest.h>

#include <ctime>

#include "algorithms/registry.hpp"
#include "interpret/clock.hpp"
#include "planner/choose_collectives.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {
namespace {

constexpr double rounding = 1e-9;  // relative

struct Case {
  GemmProblem problem;
  const char *algorithm, *collectives;
  int look_ahead = 0;
};

Schedule wire_of(const Case& c, const Machine& machine) {
  CollectiveChooser chooser(machine, c.problem.type, parse_collectives(c.collectives));
  return expand_collectives(chooser.choose(look_ahead(make_algorithm(c.problem, c.algorithm).schedule, c.look_ahead)));
}

GemmProblem problem(Int m, Int n, Int k, Int ranks) {
  GemmProblem p;
  p.m = m, p.n = n, p.k = k, p.ranks = ranks;
  return p;
}

// With less care, however few ranks there are.
Timing less_care(const Schedule& s, const Machine& machine, bool every_round) {
  return clock_all(s, machine, ScalarType::float64, {}, Ports::divided, {0, every_round});
}
bool even(const Schedule& s, const Machine& machine) {
  Clocked clocked(s, machine, ScalarType::float64);
  ComputeTimes products(clocked);
  return EvenRounds::of(clocked, products).has_value();
}

void expect_near(const Spread& a, const Spread& b, double all, const char* what) {
  EXPECT_NEAR(a.min, b.min, rounding * all) << what;
  EXPECT_NEAR(a.mean, b.mean, rounding * all) << what;
  EXPECT_NEAR(a.max, b.max, rounding * all) << what;
}

void expect_as_step_by_step(const Case& c, const Machine& machine) {
  SCOPED_TRACE(::testing::Message() << c.algorithm << ", " << c.collectives << ", look-ahead " << c.look_ahead << ", "
                                    << machine.name);
  const Schedule s = wire_of(c, machine);
  ASSERT_TRUE(even(s, machine));
  const Timing fast = less_care(s, machine, false), all = less_care(s, machine, true);
  const double seconds = all.last.seconds;
  EXPECT_NEAR(fast.last.seconds, seconds, rounding * seconds);
  expect_near(fast.finish, all.finish, seconds, "finish");
  expect_near(fast.computation, all.computation, seconds, "computation");
  expect_near(fast.communication, all.communication, seconds, "communication");
  expect_near(fast.steps, all.steps, seconds, "steps");
  expect_near(fast.exposed, all.exposed, seconds, "exposed");
  expect_near(fast.idle, all.idle, seconds, "idle");
}

// Some bound by latency, some by bandwidth, some by products.
const GemmProblem sizes[] = {problem(256, 256, 1024, 256), problem(8192, 4096, 2048, 256),
                             problem(65536, 65536, 1024, 256)};

TEST(RecurringRounds, SummaTakesAsLongAsStepByStep) {
  for (const GemmProblem& p : sizes)
    for (const char* algorithm : {"summa 16x16 b=16", "summa 16x16 b=16 cyclic", "summa 16x16 b=64 stationary=a",
                                  "summa 16x16 b=64 stationary=b", "summa 8x32 b=16"})
      for (const char* machine : {"exascale", "graphene", "shaheen"})
        for (int look_ahead : {0, 1})
          expect_as_step_by_step({p, algorithm, "bcast=binomial,reduce=binomial", look_ahead}, find_machine(machine));
}

TEST(RecurringRounds, HsummaTakesAsLongAsStepByStep) {
  for (const GemmProblem& p : sizes)
    for (const char* algorithm : {"hsumma 16x16 groups=4x4 M=16 b=16 cyclic", "hsumma 16x16 groups=2x8 M=32 b=16",
                                  "hsumma 16x16 groups=8x2 M=16 b=8 cyclic"})
      for (const char* machine : {"exascale", "graphene", "shaheen"})
        for (int look_ahead : {0, 2})
          expect_as_step_by_step({p, algorithm, "bcast=binomial", look_ahead}, find_machine(machine));
}

// Lines through which so many messages go are clocked once a kind.
TEST(RecurringRounds, LongBroadcastsTakeAsLongAsStepByStep) {
  for (const char* algorithm : {"summa 64x32 b=64", "hsumma 64x32 groups=2x1 M=64 b=64 cyclic"})
    for (const char* collectives : {"bcast=scatter_allgather", "bcast=chain:16", "bcast=scatter_bruck", "bcast=binary",
                                    "bcast=near", "bcast=flat"})
      for (const char* machine : {"exascale", "shaheen"})
        expect_as_step_by_step({problem(8192, 8192, 512, 2048), algorithm, collectives}, find_machine(machine));
}

// EvenRounds that recur, moved by some coordinates, are not gone through.
TEST(RecurringRounds, TakesNoTimeForRoundsThatRecur) {
  const Schedule s = wire_of({problem(1 << 18, 1 << 18, 1024 * 64, 1 << 16), "summa 256x256 b=64", "bcast=binomial"},
                             find_machine("exascale"));
  const auto work = [&](auto clock) {
    const std::clock_t start = std::clock();
    clock();
    return std::clock() - start;
  };
  const Machine machine = find_machine("exascale");
  const std::clock_t fast = work([&] { less_care(s, machine, false); });
  EXPECT_LT(3 * fast, work([&] { less_care(s, machine, true); }));
}

TEST(RecurringRounds, PiecesOfOtherSizesAreNotEven) {
  const Machine machine = find_machine("exascale");
  EXPECT_FALSE(even(wire_of({problem(1000, 1000, 1024, 256), "summa 16x16 b=16", "bcast=binomial"}, machine), machine));
}

}  // namespace
}  // namespace cairn
