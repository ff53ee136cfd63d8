// Ranks that share their node's memory, replayed.
#include <gtest/gtest.h>

#include "algorithms/cosma.hpp"
#include "interpret/node_shared.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {
namespace {

constexpr double L = 1e-6, G = 1e-9, flop = 1e-9, copy = 3e-9, far = 2e-10, waiting = 5e-7;

Machine simple() {
  Machine m;
  m.levels = {{"network", 0, L, G}};
  m.gemm.flops_per_second.fill(1 / flop);
  return m;
}

Schedule schedule(const char* cuts, Int ranks) {
  GemmProblem p;
  p.m = p.n = p.k = 40, p.ranks = ranks;
  return cosma(p, parse_cosma_cuts(cuts));
}

double shared(const Schedule& s, const std::vector<int>& node_of, const Machine& machine) {
  return forecast_shared(s, node_of, machine, ScalarType::float64).timing.last.seconds;
}
double messages(const Schedule& s, const Machine& machine) {
  return clock(expand_collectives(s), machine, ScalarType::float64).seconds;
}

TEST(ClockShared, OneRankOnlyComputes) {
  EXPECT_DOUBLE_EQ(shared(schedule("", 1), {0}, simple()), 2.0 * 40 * 40 * 40 * flop);
}

// B's halves of 20 rows lie one after the other in the node's memory, and are one operand.
TEST(ClockShared, APieceIsCopiedOnceAndReadWhereItLies) {
  Machine m = simple();
  m.copy_seconds_per_byte = copy;
  m.shared = {far, waiting};
  const double half = 20 * 40 * 8, product = 2.0 * 20 * 40 * 40 * flop;
  EXPECT_DOUBLE_EQ(shared(schedule("pm2", 2), {0, 0}, m), half * copy + waiting + half * far + product);
}

TEST(ClockShared, RanksAloneOnTheirNodesSendMessages) {
  for (const char* cuts : {"pm2", "pn2", "pk2"})
    EXPECT_DOUBLE_EQ(shared(schedule(cuts, 2), {0, 1}, simple()), messages(schedule(cuts, 2), simple())) << cuts;
}

TEST(ClockShared, APieceEntersANodeOnce) {
  const double product = 2.0 * 10 * 40 * 40 * flop, quarter = 10 * 40 * 8;
  EXPECT_DOUBLE_EQ(shared(schedule("pm4", 4), {0, 0, 1, 1}, simple()), L + quarter * G + product);
  EXPECT_DOUBLE_EQ(messages(schedule("pm4", 4), simple()), L + 3 * quarter * G + product);
}

// Half of C from the one peer: added where it lies.
TEST(ClockShared, SumsAreAddedOutOfTheNodesMemory) {
  Machine m = simple();
  m.copy_seconds_per_byte = copy;
  const double half = 20 * 40 * 8, product = 2.0 * 40 * 40 * 20 * flop;
  EXPECT_DOUBLE_EQ(shared(schedule("pk2", 2), {0, 0}, m), product + 2 * half * copy);
}

TEST(ClockShared, WhatIsMultipliedInTheCallersMemoryIsReadFromMemory) {
  Machine m = simple();
  m.read_seconds_per_byte = far;
  const double product = 2.0 * 40 * 40 * 40 * flop, both = 2 * 40 * 40 * 8;
  EXPECT_DOUBLE_EQ(shared(schedule("", 1), {0}, m), product + both * far);
  EXPECT_DOUBLE_EQ(messages(schedule("", 1), m), product + both * far);
}

}  // namespace
}  // namespace cairn
