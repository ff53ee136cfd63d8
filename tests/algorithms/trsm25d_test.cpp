// What the ranks of a triangular solution receive if layers have copies of the triangle, and how it is spelled.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms.hpp"
#include "cairn/factor_plan.hpp"
#include "triangular.hpp"

namespace cairn {
namespace {

struct Given {
  Int pr, pc, L;
};

Int received(const Schedule& s) {
  const Schedule wire = expand_collectives(s);
  Int all = 0;
  for (Int r = 0; r < s.ranks; ++r) all += count(s, wire, r).received;
  return all;
}

std::string spelling(const Given& g, Int b) { return fmt::format("trsm25d {}x{}x{} b={}", g.pr, g.pc, g.L, b); }

// docs/algorithms/trsm25d.md, "What a rank receives": all ranks together, exactly; and nearly as many as the 2D
// algorithm does on the grid with the rows of all layers.
TEST(Trsm25d, ReceivesItsClosedFormWhichIsThatOfTheGridOfAllRows) {
  for (const Given& g : std::vector<Given>{{1, 1, 2}, {2, 2, 2}, {3, 1, 2}, {1, 3, 2}, {2, 2, 3}, {1, 1, 5}, {4, 2, 2}})
    for (Side side : {Side::left, Side::right})
      for (Op op : {Op::none, Op::adjoint}) {
        const Int rows = side == Side::right ? g.pr : g.pc, cols = side == Side::right ? g.pc : g.pr;
        const Int b = 2, F = 6, n = F * b, m = 7, L = g.L;
        const Int copies = n * (n + 1) / 2 * (L - 1), T = n * (n + 1) / 2 * (rows - 1) * L;
        const Int X = m * b * (F - 1) * (cols - 1);
        const SolveProblem p = testing::solve_problem(n, m, side, op, g.pr * g.pc * L);
        const Schedule s = make_algorithm(p, spelling(g, b));
        EXPECT_EQ(received(s), copies + T + X) << s.algorithm << ' ' << spelled(s.problem);
        const bool left = side == Side::left;
        const Schedule flat =
            make_algorithm(p, fmt::format("trsm {}x{} b={}", left ? g.pr : g.pr * L, left ? g.pc * L : g.pc, b));
        Int spared = 0;  // there the last columns of X go only where columns are left
        for (Int columns = 1; columns < F; ++columns) spared += m * b * std::max<Int>(0, cols - 1 - columns);
        EXPECT_EQ(received(flat) + spared, received(s)) << s.algorithm;
      }
}

// n²/2·(1 - 1/p) and half a block row more, however many right-hand sides there are.
TEST(Trsm25d, CopiesTheTriangleToAllRanksForManyRightHandSides) {
  for (Side side : {Side::left, Side::right})
    for (Int ranks : {2, 7, 12}) {
      const Int b = 2, n = 48, m = 5 * n;
      const Schedule s =
          make_algorithm(testing::solve_problem(n, m, side, Op::none, ranks), spelling({1, 1, ranks}, b));
      EXPECT_EQ(received(s), n * (n + 1) / 2 * (ranks - 1)) << s.algorithm;
    }
}

// In units of n² for as many right-hand sides, from the first layer and back to it, as the paper has it:
// (1/s)(1/L + 1/2)(1 - 1/s) + (L - 1)/(2p) + 2(1 - 1/L)/p.
TEST(Trsm25d, ReceivesAsManyWordsAsThePaper) {
  struct Expected {
    Int s, L;
    double words;
  };
  for (const Expected& e : std::vector<Expected>{
           {2, 2, 0.438}, {2, 4, 0.375}, {4, 2, 0.234}, {4, 4, 0.188}, {8, 4, 0.094}, {16, 4, 0.047}}) {
    const Int b = 1, F = 96, n = F * b, ranks = e.s * e.s * e.L;
    SolveProblem p = testing::solve_problem(n, n, Side::right, Op::none, ranks);
    p.triangle = Uplo::upper;
    p.a = p.b = Layout::block_cyclic(n, n, {b, b, e.s, e.s});
    const Schedule s = make_algorithm(p, spelling({e.s, e.s, e.L}, b));
    EXPECT_NEAR(count_all(s, expand_collectives(s)).mean_received / static_cast<double>(n * n) / e.words, 1, 0.02)
        << ranks;
  }
}

TEST(Trsm25d, IsInPlaceOnScaLAPACKsMatrices) {
  for (Side side : {Side::left, Side::right}) {
    SolveProblem p = testing::solve_problem(31, 20, side, Op::none, 8);
    const bool left = side == Side::left;
    p.a = Layout::block_cyclic(31, 31, {3, 3, left ? 2 : 4, left ? 4 : 2});
    p.b = Layout::block_cyclic(p.m, p.n, {3, 3, left ? 2 : 4, left ? 4 : 2});
    EXPECT_FALSE(redistributes(make_algorithm(p, "trsm25d 2x2x2 b=3"))) << name_of(side);
  }
}

TEST(Trsm25d, HasVariantsThatAreCompared) {
  const SolveProblem p = testing::solve_problem(700, 50, Side::left, Op::none, 16);
  testing::expect_variants(p, "trsm25d", true);
}

TEST(Trsm25d, IsPlannedWhereCopiesOfTheTriangleSaveTime) {
  const SolveProblem p = testing::solve_problem(1024, 1024, Side::left, Op::none, 16);
  const FactorPlan chosen = plan(p, {.machine = "hopper"});
  EXPECT_TRUE(chosen.algorithm().starts_with("trsm25d ")) << chosen.algorithm();
  EXPECT_LT(chosen.predicted_seconds(), 0.9 * plan(p, {.algorithm = "trsm", .machine = "hopper"}).predicted_seconds());
}

TEST(Trsm25d, RefusalsSayWhyAndShowAnExample) {
  const SolveProblem p = testing::solve_problem(100, 10, Side::left, Op::none, 8);
  const auto said = [&](const char* s) { return testing::refusal([&] { make_algorithm(p, s); }); };
  EXPECT_NE(said("trsm25d 2x2x2").find("as in trsm25d 4x4x2 b=64"), std::string::npos) << said("trsm25d 2x2x2");
  EXPECT_EQ(said("trsm25d 3x3x2 b=4"), "trsm25d 3x3x2 b=4: the grid needs 18 ranks, expected at most 8");
}

}  // namespace
}  // namespace cairn
