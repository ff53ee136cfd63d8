// What the ranks of a triangular solution receive, and how it is spelled.
#include <gtest/gtest.h>

#include "algorithms.hpp"
#include "interpret/check.hpp"
#include "triangular.hpp"

namespace cairn {
namespace {

struct Given {
  Int pr, pc, L;
};

Schedule made(const SolveProblem& p, const Given& g, Int b, const std::string& name = "trsm ") {
  return make_algorithm(p, name + std::to_string(g.pr) + 'x' + std::to_string(g.pc) +
                               (g.L > 1 ? 'x' + std::to_string(g.L) : "") + " b=" + std::to_string(b));
}

// docs/algorithms/trsm.md, "What a rank receives": all ranks together, exactly.
TEST(Trsm, ReceivesItsClosedForm) {
  for (const Given& g :
       std::vector<Given>{{1, 1, 1}, {2, 2, 1}, {2, 3, 1}, {4, 2, 1}, {1, 5, 1}, {2, 2, 2}, {3, 1, 2}, {2, 2, 3}})
    for (Side side : {Side::left, Side::right})
      for (Op op : {Op::none, Op::adjoint}) {
        const Int rows = side == Side::right ? g.pr : g.pc, cols = side == Side::right ? g.pc : g.pr;
        const Int b = 2, F = 5, L = g.L, n = F * L * b, m = 7;
        Int X = 0;  // on one layer the last ones go to the columns of ranks that are left
        for (Int left = 1; left < F; ++left) X += m * b * L * (L == 1 ? std::min(left, cols - 1) : cols - 1);
        const Int sums = m * (n - b) * (L - 1);
        const Int T = n * (n + 1) / 2 * (rows - 1);
        const Schedule s = made(testing::solve_problem(n, m, side, op, g.pr * g.pc * L), g, b),
                       wire = expand_collectives(s);
        Int all = 0;
        for (Int r = 0; r < s.ranks; ++r) all += count(s, wire, r).received;
        EXPECT_EQ(all, X + T + sums) << s.algorithm << ' ' << spelled(s.problem);
      }
}

// The same of docs/algorithms/trsm_lazy.md.
TEST(TrsmLazy, ReceivesItsClosedForm) {
  for (const Given& g : std::vector<Given>{{1, 1, 1}, {2, 2, 1}, {2, 3, 1}, {4, 2, 1}, {1, 4, 1}, {5, 1, 1}})
    for (Side side : {Side::left, Side::right})
      for (Op op : {Op::none, Op::adjoint}) {
        const Int rows = side == Side::right ? g.pr : g.pc, cols = side == Side::right ? g.pc : g.pr;
        const Int b = 2, F = 7, n = F * b, m = 9;
        const Int T = n * (n + 1) / 2 * (rows - 1), sums = m * (n - b) * (cols - 1);
        SolveProblem p = testing::solve_problem(n, m, side, op, g.pr * g.pc);
        const Schedule s = made(p, g, b, "trsm_lazy "), wire = expand_collectives(s);
        Int all = 0;
        for (Int r = 0; r < s.ranks; ++r) all += count(s, wire, r).received;
        EXPECT_EQ(all, T + sums) << s.algorithm << ' ' << spelled(s.problem);
      }
}

// In units of n² for as many right-hand sides.
TEST(Trsm, ReceivesLessInLayersOnAsManyRanks) {
  struct Expected {
    Given grid;
    double words;
  };
  for (const Expected& e : std::vector<Expected>{{{2, 2, 1}, 0.375},
                                                 {{4, 2, 1}, 0.3125},
                                                 {{4, 4, 1}, 0.28125},
                                                 {{8, 4, 1}, 0.203},
                                                 {{8, 8, 1}, 0.164},
                                                 {{4, 2, 2}, 0.21875},
                                                 {{4, 4, 2}, 0.171875},
                                                 {{8, 4, 2}, 0.1172}}) {
    const Int n = 480;
    const Schedule s =
        made(testing::solve_problem(n, n, Side::right, Op::none, e.grid.pr * e.grid.pc * e.grid.L), e.grid, 1);
    EXPECT_NEAR(count_all(s, expand_collectives(s)).mean_received / double(n * n) / e.words, 1, 0.04) << s.algorithm;
  }
}

TEST(Trsm, IsInPlaceOnScaLAPACKsMatrices) {
  for (Side side : {Side::left, Side::right}) {
    SolveProblem p = testing::solve_problem(31, 20, side, Op::none, 8);
    p.a = Layout::block_cyclic(31, 31, {3, 3, 2, 4});
    p.b = Layout::block_cyclic(p.m, p.n, {3, 3, 2, 4});
    EXPECT_FALSE(redistributes(make_algorithm(p, "trsm 2x4 b=3")));
    p.a.reset();  // in layers B is in place, and A has a layout of its own
    p.b = Layout::block_cyclic(p.m, p.n, {3, 3, side == Side::left ? 4 : 2, side == Side::left ? 2 : 4});
    EXPECT_FALSE(redistributes(make_algorithm(p, "trsm 2x2x2 b=3")));
  }
}

TEST(TrsmLazy, IsInPlaceOnScaLAPACKsMatricesWhereTheTriangleIsTransposed) {
  for (Side side : {Side::left, Side::right})
    for (Uplo triangle : {Uplo::lower, Uplo::upper}) {
      SolveProblem p = testing::solve_problem(31, 20, side, Op::transpose, 8);
      p.triangle = triangle;
      p.a = Layout::block_cyclic(31, 31, {3, 3, 2, 4});
      p.b = Layout::block_cyclic(p.m, p.n, {3, 3, 2, 4});
      EXPECT_FALSE(redistributes(make_algorithm(p, "trsm_lazy 2x4 b=3")));
      EXPECT_TRUE(redistributes(make_algorithm(p, "trsm 2x4 b=3")));
      p.op = Op::none;
      EXPECT_TRUE(redistributes(make_algorithm(p, "trsm_lazy 2x4 b=3")));
    }
}

// In blocks of another size, of which the first one lies anywhere and may be shorter, unless some rank had more of them
// than it need have: 20 in a block of 16 and one of 4.
TEST(Trsm, RightHandSidesStayAsTheyAreDealt) {
  for (Side side : {Side::left, Side::right})
    for (Op op : {Op::none, Op::transpose}) {
      const char* const spelling = op == Op::none ? "trsm 2x2 b=3" : "trsm_lazy 2x2 b=3";
      SolveProblem p = testing::solve_problem(31, 20, side, op, 4);
      const auto dealt = [&](Int block, int src) {
        const bool left = side == Side::left;
        return Layout::block_cyclic(p.m, p.n,
                                    {left ? 3 : block, left ? block : 3, 2, 2, left ? 0 : src, left ? src : 0});
      };
      p.a = Layout::block_cyclic(31, 31, {3, 3, 2, 2});
      Layout shorter = dealt(5, 1);
      (side == Side::left ? shorter.cols : shorter.rows).cuts.front().first = 2;
      for (const Layout& b : {dealt(3, 0), dealt(1, 0), dealt(5, 1), dealt(10, 1), shorter}) {
        p.b = b;
        const Schedule s = make_algorithm(p, spelling);
        EXPECT_FALSE(redistributes(s)) << spelling;
        EXPECT_NO_THROW(check(s));
        const std::vector<Sketch> all = variants(p);
        EXPECT_TRUE(std::any_of(all.begin(), all.end(),
                                [&](const Sketch& v) { return v.spelling == spelling && v.brought == 0; }));
      }
      p.b = dealt(16, 0);
      EXPECT_TRUE(redistributes(make_algorithm(p, spelling)));
    }
}

// As the drop-in has them: along the order nothing is cut. All in one block would leave a rank without work.
TEST(Trsm, RightHandSidesOnALineOfRanksStayIfTheyAreDealtEvenly) {
  for (Side side : {Side::left, Side::right})
    for (const auto& [block, moves] : {std::pair{5, false}, {20, true}}) {
      const bool left = side == Side::left;
      SolveProblem p = testing::solve_problem(31, 20, side, Op::none, 2);
      p.b = Layout::block_cyclic(p.m, p.n, {left ? 3 : block, left ? block : 3, left ? 1 : 2, left ? 2 : 1});
      (left ? p.b->rows : p.b->cols).cuts.clear();
      EXPECT_EQ(redistributes(make_algorithm(p, left ? "trsm 1x2 b=3" : "trsm 2x1 b=3")), moves) << name_of(side);
    }
}

// What the newest block column adds travels before the products of older ones for the next, and is waited for after.
TEST(TrsmLazy, MultipliesOlderColumnsWhileSumsTravel) {
  const Schedule wire = expand_collectives(
      made(testing::solve_problem(12, 5, Side::right, Op::transpose, 4), {2, 2, 1}, 2, "trsm_lazy "));
  const std::vector<Effect> does = effects(wire);
  const Placement place = place_buffers(wire, 0);
  const auto at = [&](Slot x) { return static_cast<std::size_t>(wire.storage(x)); };
  int found = 0;
  for (std::size_t t = 0; t + 2 < does.size(); ++t) {
    const Move* const travels = message(does[t]);
    if (!travels || wire[travels->src].role != SlotInfo::Role::partial_sum) continue;
    const Compute* const older = as_compute(does[t + 1]);
    const Move* const added = as_move(does[t + 2]);
    ASSERT_TRUE(older || t + 3 >= does.size()) << label(wire, t + 1);
    if (!older || older->kernel != Kernel::gemm) continue;  // the last column
    ASSERT_TRUE(added && added->src == travels->dst) << label(wire, t + 2);
    EXPECT_NE(place.offset[at(older->C)], place.offset[at(travels->src)]) << "would wait for the message";
    ++found;
  }
  EXPECT_EQ(found, 4) << "of five sums all but the last";
}

TEST(Trsm, VariantsAreSpelledAsTheyAreMade) {
  const SolveProblem p = testing::solve_problem(700, 50, Side::left, Op::none, 12);
  const std::vector<Sketch> all = variants(p);
  EXPECT_GT(all.size(), 10U);
  for (const Sketch& s : all) EXPECT_EQ(make_algorithm(p, s.spelling).algorithm, s.spelling);
}

TEST(Trsm, RefusalsSayWhyAndShowAnExample) {
  SolveProblem p = testing::solve_problem(100, 10, Side::left, Op::none, 8);
  const auto said = [&](const char* spelling) { return testing::refusal([&] { make_algorithm(p, spelling); }); };
  for (auto [spelling, why] : {std::pair("trsm 2x2", "b="), {"trsm b=2", "4x4"}, {"trsm 2x2 b=0", "'b=0'"}}) {
    EXPECT_NE(said(spelling).find(why), std::string::npos) << said(spelling);
    EXPECT_NE(said(spelling).find("as in trsm 4x4x2 b=64"), std::string::npos) << said(spelling);
  }
  EXPECT_EQ(said("trsm 3x3 b=4"), "trsm 3x3 b=4: the grid needs 9 ranks, expected at most 8");
  p.triangle = Uplo::full;
  EXPECT_EQ(said("trsm 2x2 b=4"), "triangle: full, expected lower or upper");
}

}  // namespace
}  // namespace cairn
