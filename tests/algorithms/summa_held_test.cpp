// SUMMA where the caller's matrices lie: it is right for any layouts, and what conforms is not redistributed.
#include "algorithms/summa_held.hpp"

#include <gtest/gtest.h>

#include "algorithms.hpp"
#include "contract.hpp"
#include "held_problems.hpp"

namespace cairn {
namespace {

using testing::HeldProblem;

template <class F>
void for_held_problems(F f) {
  for (Int ranks : testing::rank_counts) {
    testing::HeldProblems problems(ranks, static_cast<unsigned>(ranks));
    for (int turn = 0; turn < 3; ++turn)
      for (testing::Shape shape : testing::shapes) {
        const HeldProblem held = problems.next(shape);
        SCOPED_TRACE(held.spelling + " of " + std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" +
                     std::to_string(shape.k) + " on " + std::to_string(ranks) + " ranks, turn " + std::to_string(turn));
        f(held.problem, make_algorithm(held.problem, held.spelling).schedule);
      }
  }
}

TEST(SummaHeld, PassesTheCheckerOnAnyBlocks) {
  for_held_problems([](const GemmProblem&, const Schedule& s) { testing::expect_passes_the_checker(s); });
}

TEST(SummaHeld, ComputesTheProductOnAnyBlocks) { for_held_problems(testing::expect_computes_the_product); }

Int redistributions(const Schedule& s) {
  return std::count_if(s.steps.begin(), s.steps.end(),
                       [](const LabelledStep& l) { return std::holds_alternative<Redistribute>(l.step); });
}

GemmProblem on_blocks(Op op_a, Op op_b, const Layout::BlockCyclic& how) {
  GemmProblem p = testing::problem(96, 192, 144, how.pr * how.pc);
  p.op_a = op_a, p.op_b = op_b;
  p.a = op_a == Op::none ? Layout::block_cyclic(p.m, p.k, how) : Layout::block_cyclic(p.k, p.m, how);
  p.b = op_b == Op::none ? Layout::block_cyclic(p.k, p.n, how) : Layout::block_cyclic(p.n, p.k, how);
  p.c = Layout::block_cyclic(p.m, p.n, how);
  return p;
}

constexpr Op N = Op::none, T = Op::transpose;

TEST(SummaHeld, StaysInScalapacksLayout) {
  for (const Int block : {1, 4, 12}) {
    const Layout::BlockCyclic how{.mb = block, .nb = block, .pr = 2, .pc = 3};
    for (const char* b : {"1000", "24", "7"}) {
      const std::string width = std::string(" b=") + b;
      EXPECT_EQ(redistributions(make_algorithm(on_blocks(N, N, how), "summa 2x3" + width + " held").schedule), 0);
      EXPECT_EQ(
          redistributions(make_algorithm(on_blocks(N, T, how), "summa 2x3" + width + " stationary=a held").schedule),
          0);
      EXPECT_EQ(
          redistributions(make_algorithm(on_blocks(T, N, how), "summa 2x3" + width + " stationary=b held").schedule),
          0);
    }
  }
}

TEST(SummaHeld, InnerBlocksMayDiffer) {
  GemmProblem p = on_blocks(N, N, {.mb = 4, .nb = 4, .pr = 2, .pc = 3});
  p.a = Layout::block_cyclic(p.m, p.k, {.mb = 4, .nb = 5, .pr = 2, .pc = 3, .rsrc = 0, .csrc = 2});
  p.b = Layout::block_cyclic(p.k, p.n, {.mb = 7, .nb = 4, .pr = 2, .pc = 3, .rsrc = 1, .csrc = 0});
  EXPECT_EQ(redistributions(make_algorithm(p, "summa 2x3 b=30 held").schedule), 0);
}

TEST(SummaHeld, OnlyWhatDoesNotConformIsRedistributed) {
  GemmProblem p = on_blocks(N, N, {.mb = 4, .nb = 4, .pr = 2, .pc = 3});
  p.a = Layout::block_cyclic(p.m, p.k, {.mb = 5, .nb = 4, .pr = 2, .pc = 3});
  const Schedule s = make_algorithm(p, "summa 2x3 b=1000 held").schedule;
  ASSERT_EQ(redistributions(s), 1);
  EXPECT_EQ(s[access(s.steps[0].step).reads[0]].name, "A");
}

TEST(SummaHeld, ReceivesItsClosedForm) {
  const Int m = 96, n = 192, k = 144;
  for (auto [pr, pc] : {std::pair<Int, Int>{1, 4}, {4, 1}, {2, 3}, {4, 2}})
    for (const char* b : {"1000", "24"}) {
      const Layout::BlockCyclic how{.mb = 4, .nb = 4, .pr = pr, .pc = pc};
      const Int A = m * k / pr - m * k / (pr * pc), B = k * n / pc - k * n / (pr * pc);
      const std::string grid = "summa " + std::to_string(pr) + "x" + std::to_string(pc) + " b=" + b;
      testing::expect_received(make_algorithm(on_blocks(N, N, how), grid + " held").schedule,
                               [&](Int) { return A + B; });
      // n/pr of B's columns, and the terms of m × n/pc of C
      testing::expect_received(make_algorithm(on_blocks(N, T, how), grid + " stationary=a held").schedule,
                               [&](Int) { return B + m * n / pr * (pc - 1) / pc; });
    }
}

TEST(SummaHeld, RefusalsSayWhatIsMissing) {
  using testing::refusal_of;
  GemmProblem p = testing::problem(50, 50, 50, 6);
  const std::string missing =
      "summa 2x3 b=8 held: expected C in a layout of the caller's, on a grid of two axes of which one cuts its rows "
      "and "
      "the other its columns";
  EXPECT_EQ(refusal_of(p, "summa 2x3 b=8 held"), missing);
  p.c = Layout::on_one_rank(50, 50);
  EXPECT_EQ(refusal_of(p, "summa 2x3 b=8 held"), missing);
  p.c = Layout::block_cyclic(50, 50, {.mb = 4, .nb = 4, .pr = 2, .pc = 3});
  EXPECT_EQ(refusal_of(p, "summa 3x2 b=8 held"), "summa 3x2 b=8 held: C lies on 2x3 ranks, expected the same here");
  EXPECT_NE(refusal_of(p, "summa 2x3 b=8 cyclic held").find("cyclic and held"), std::string::npos);
  EXPECT_EQ(refusal_of(p, "summa 2x3 b=8 held"), "accepted");
}

}  // namespace
}  // namespace cairn
