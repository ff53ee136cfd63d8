#include <gtest/gtest.h>

#include <random>

#include "cairn/error.hpp"
#include "planner/choose.hpp"

namespace cairn {
namespace {

// As calibrations write it: tables in which long messages take longer a byte, and figures of all transports.
Machine calibrated(double wait, double fetch) {
  Machine m = find_machine("generic");
  m.levels = {{"memory", 0, 2e-7, 1e-10, 2e-7, 2e-7, {{1, 5e-7}, {65536, 1e-5}, {1 << 22, 2e-3}}}};
  m.copy_seconds_per_byte = 1e-10;
  m.read_seconds_per_byte = 5e-11;
  m.shared = {2e-11, wait};
  m.one_sided = {{"windows", 0, 0, fetch / 8192, 0, 0, {{8, fetch}, {8192, 2 * fetch}, {1 << 22, 300 * fetch}}}};
  return m;
}

GemmProblem problem(Int m, Int n, Int k, Int ranks) {
  GemmProblem p;
  p.m = m, p.n = n, p.k = k, p.ranks = ranks;
  return p;
}

TEST(ChooseTransport, WithoutFiguresOfOthersItIsTwoSided) {
  const Plan two_sided = plan(problem(512, 512, 512, 8), {});
  EXPECT_EQ(two_sided.transport(), "two-sided");
  EXPECT_EQ(two_sided.explain().find("node-shared"), std::string::npos);
}

TEST(ChooseTransport, TheFastestByTheClock) {
  const GemmProblem p = problem(512, 512, 512, 8);
  Machine slow_messages = calibrated(1e-8, 1e-3);
  for (Machine::Message& m : slow_messages.levels[0].messages) m.seconds *= 4;
  const Plan shared = plan_on(slow_messages, p, {});
  EXPECT_EQ(shared.transport(), "node-shared");
  EXPECT_NE(shared.explain().find("  transport           node-shared; two-sided, "), std::string::npos);
  EXPECT_NE(shared.json().find("\"other_transports\""), std::string::npos);
  EXPECT_EQ(plan_on(calibrated(1, 1e-3), p, {}).transport(), "two-sided");
  EXPECT_EQ(plan_on(calibrated(1, 1e-9), p, {}).transport(), "one-sided");
  EXPECT_EQ(plan_on(calibrated(1e-8, 1e-9), p, {.transport = "two-sided"}).transport(), "two-sided");
}

TEST(ChooseTransport, OneRankANodeSharesNothing) {
  EXPECT_NE(plan_on(calibrated(0, 1e-3), problem(256, 256, 256, 8), {.ranks_per_node = 1}).transport(), "node-shared");
}

// Counts, choices and pages know nodes by the same rule.
TEST(ChooseTransport, TheInnermostLevelIsANodeWhereNoneIsCalledSo) {
  Machine m = calibrated(1e-8, 1e-3);
  m.levels = {{"socket", 4, 2e-7, 1e-10}, {"network", 0, 1e-6, 1e-9}};
  const Plan p = plan_on(m, problem(256, 256, 256, 16), {.transport = "node-shared"});
  EXPECT_GT(p.max_count().node_words, 0);
}

TEST(ChooseTransport, APlanThatDoesNotFitByAnyIsRefused) {
  EXPECT_THROW(plan_on(calibrated(0, 1e-6), problem(64, 64, 64, 4), {.memory_words = 100}), MemoryError);
}

TEST(ChooseTransport, TheChoiceIsNeverSlowerThanAnyTransportOrAlgorithm) {
  const Machine machine = calibrated(3e-7, 2e-6);
  std::mt19937 random(7);
  const auto draw = [&](Int most) { return std::uniform_int_distribution<Int>(1, most)(random); };
  for (int i = 0; i < 60; ++i) {
    const GemmProblem p = problem(draw(600), draw(600), draw(600), draw(16));
    const Plan best = plan_on(machine, p, {});
    const auto no_slower = [&](const Options& o) {
      const Plan other = plan_on(machine, p, o);
      EXPECT_LE(best.predicted_seconds(), other.predicted_seconds() * (1 + 1e-6))
          << p.m << "x" << p.n << "x" << p.k << " on " << p.ranks << ": " << other.algorithm() << ", "
          << other.transport() << " against " << best.algorithm() << ", " << best.transport();
    };
    for (const char* t : {"two-sided", "one-sided", "node-shared"}) no_slower({.transport = t});
    for (const char* a : {"cosma", "summa", "hsumma", "cannon", "summa25d", "agarwal3d"}) no_slower({.algorithm = a});
  }
}

}  // namespace
}  // namespace cairn
