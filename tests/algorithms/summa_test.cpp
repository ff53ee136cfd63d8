// What SUMMA receives, which matrix should stay, and what it refuses.
#include "algorithms/summa.hpp"

#include <gtest/gtest.h>

#include "algorithms.hpp"

namespace cairn {
namespace {

using testing::expect_received;
using testing::expect_refusals;
using testing::most;
using testing::problem;
using testing::refusal_of;

// docs/algorithms/summa.md, "What a rank receives".
Int closed_form(const GemmProblem& p, const SummaForm& f) {
  const Int A = p.m * p.k / f.pr * (f.pc - 1) / f.pc, A_mirrored = A;
  const Int B = p.k * p.n / f.pc * (f.pr - 1) / f.pr, B_mirrored = B;
  if (f.stationary == 'a') return B_mirrored + p.m * p.n / f.pr * (f.pc - 1) / f.pc;
  if (f.stationary == 'b') return A_mirrored + p.m * p.n / f.pc * (f.pr - 1) / f.pr;
  return A + B;
}

TEST(Summa, ReceivesItsClosedForm) {
  for (auto [pr, pc] : {std::pair<Int, Int>{1, 1}, {1, 4}, {4, 1}, {2, 3}, {4, 2}})
    for (char stationary : {'a', 'b', 'c'})
      for (bool cyclic : {false, true}) {
        const GemmProblem p = problem(48, 96, 144, pr * pc);
        const SummaForm f{pr, pc, 4, stationary, cyclic};
        expect_received(summa(p, f), [&](Int) { return closed_form(p, f); });
      }
}

TEST(Summa, TheLargestMatrixShouldStay) {
  const auto stays = [](Int m, Int n, Int k) {
    char best = ' ';
    Int least = 0;
    for (char stationary : {'a', 'b', 'c'}) {
      const Int words = most(summa(problem(m, n, k, 16), {4, 4, 8, stationary})).received;
      if (best == ' ' || words < least) best = stationary, least = words;
    }
    return best;
  };
  EXPECT_EQ(stays(512, 512, 32), 'c');
  EXPECT_EQ(stays(512, 32, 512), 'a');
  EXPECT_EQ(stays(32, 512, 512), 'b');
}

TEST(Summa, StaysInScalapacksLayout) {
  GemmProblem p = problem(50, 30, 70, 6);
  p.a = Layout::block_cyclic(50, 70, {.mb = 4, .nb = 4, .pr = 2, .pc = 3});
  p.b = Layout::block_cyclic(70, 30, {.mb = 4, .nb = 4, .pr = 2, .pc = 3});
  p.c = Layout::block_cyclic(50, 30, {.mb = 4, .nb = 4, .pr = 2, .pc = 3});
  for (const LabelledStep& l : summa(p, {2, 3, 4, 'c', true}).steps)
    EXPECT_FALSE(std::holds_alternative<Redistribute>(l.step));
}

TEST(Summa, LookAheadFetchesTheNextPanelsBeforeEveryProduct) {
  for (char stationary : {'a', 'b', 'c'})
    for (int depth : {0, 1, 2}) {
      const Schedule s = look_ahead(summa(problem(64, 64, 64, 4), {2, 2, 8, stationary}), depth);
      const Int panels = 8, each = stationary == 'c' ? 2 : 1;
      Int fetched = 0, products = 0;
      for (const LabelledStep& l : s.steps) {
        fetched += std::holds_alternative<Bcast>(l.step);
        if (!std::holds_alternative<Compute>(l.step)) continue;
        ++products;
        EXPECT_EQ(fetched, each * std::min(panels, products + depth))
            << "product " << products << " of " << s.algorithm;
      }
      EXPECT_EQ(products, panels);
    }
}

TEST(Summa, RefusalsNameTheWordAndShowAnExample) {
  const GemmProblem p = problem(100, 100, 100, 8);
  expect_refusals(p, "summa 4x4 b=256",
                  {{"summa", "b"},
                   {"summa 2x2", "b="},
                   {"summa 2x2 b=0", "b=0"},
                   {"summa 2x2 b=x", "b=x"},
                   {"summa 2x2 b=9999999999999999999", "b=9999999999999999999"},
                   {"summa b=4", "the grid is missing"},
                   {"summa 2x2", "b= is missing, expected a positive number"},
                   {"summa 0x2 b=4", "0x2"},
                   {"summa 2x b=4", "2x"},
                   {"summa 2x2x2 b=4", "2x2x2"},
                   {"summa 2x2 b=4 stationary=d", "stationary=d"},
                   {"summa 2x2 b=4 stationary=", "stationary="},
                   {"summa 2x2 b=4 cyclical", "cyclical"},
                   {"summa 2x2 b=4 b=4", "b=4"},
                   {"summa 2x2 3x3 b=4", "3x3"}});
  EXPECT_EQ(refusal_of(p, "summa 3x3 b=4"), "summa 3x3 b=4: the grid needs 9 ranks, expected at most 8");
}

TEST(Summa, TooManyPanelsAreRefused) {
  EXPECT_THROW(summa(problem(1, 1, Int{1} << 40, 1), {1, 1, 1}), ArgumentError);
  EXPECT_THROW(summa(problem(Int{1} << 40, 1, 1, 4), {2, 2, 1, 'c', true}), ArgumentError);
}

}  // namespace
}  // namespace cairn
