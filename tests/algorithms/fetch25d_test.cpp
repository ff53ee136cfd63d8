// What ranks receive that fetch what they multiply, and what is refused.
#include "algorithms/fetch25d.hpp"

#include <gtest/gtest.h>

#include "algorithms.hpp"
#include "schedule/transfers.hpp"

namespace cairn {
namespace {

using testing::problem;

Schedule made(const GemmProblem& p, const Fetch25d& f) { return make_algorithm(p, print(f)).schedule; }

// docs/algorithms/fetch25d.md, "What a rank receives": in layers more pieces than every L-th may be at home.
TEST(Fetch25d, ReceivesItsClosedFormInTheMean) {
  for (const Fetch25d f : {Fetch25d{1, 1}, Fetch25d{4, 4}, Fetch25d{2, 3}, Fetch25d{4, 4, 2, 2}, Fetch25d{4, 4, 1, 4},
                           Fetch25d{6, 4, 3, 2}, Fetch25d{2, 8, 1, 4}, Fetch25d{3, 3, 3, 1}, Fetch25d{12, 12, 2, 2},
                           Fetch25d{4, 4, 1, 1, true}, Fetch25d{2, 3, 1, 1, true}, Fetch25d{1, 5, 1, 1, true}}) {
    const GemmProblem p = problem(3 * f.pr, 5 * f.pc, 24 * f.pr * f.pc, f.pr * f.pc);
    const Schedule s = made(p, f);
    const double found = count_all(s, expand_collectives(s)).mean_received,
                 closed = received(f, static_cast<double>(p.m * p.k), static_cast<double>(p.k * p.n),
                                   static_cast<double>(p.m * p.n));
    EXPECT_LE(found, closed * (1 + 1e-12)) << print(f);
    EXPECT_GE(found, closed * (f.layers() == 1 ? 1 - 1e-12 : 0.9)) << print(f);
  }
}

// [dbcsr-25d-rma-2017, Equation 7] counts what a rank has itself, too.
TEST(Fetch25d, ReceivesLessThanThePaperSaysOnItsGrids) {
  constexpr double panel = 1000;
  for (Int root : {2, 3}) {
    const Int side = 12, layers = root * root;
    const double S = panel * static_cast<double>(side * side), V = static_cast<double>(side),
                 told = V / static_cast<double>(root) * (panel + panel) + static_cast<double>(layers - 1) * panel;
    EXPECT_LT(received({side, side, root, root}, S, S, S), told);
    EXPECT_GT(received({side, side, root, root}, S, S, S), 0.95 * told);
  }
}

// On one layer no two ranks ask the same one in a step. In layers lr rows, or lc columns, need the same panels.
TEST(Fetch25d, AsksAnOwnerOnlyAsOftenAsLayersNeed) {
  for (const Fetch25d f :
       {Fetch25d{4, 4}, Fetch25d{6, 6}, Fetch25d{4, 4, 2, 2}, Fetch25d{6, 6, 3, 3}, Fetch25d{8, 8, 2, 2},
        Fetch25d{16, 16, 2, 2}, Fetch25d{16, 16, 4, 4}, Fetch25d{4, 4, 1, 1, true}, Fetch25d{6, 2, 1, 1, true}}) {
    const Schedule s = made(problem(144, 144, 144, f.pr * f.pc), f);
    for (const Effect& e : effects(s)) {
      const Redistribute* const x = as_redistribution(e);
      for (Int r = 0; x && r < s.ranks; ++r) {
        const std::size_t asked = outgoing(s.layout(x->src), s.layout(x->dst), r, s.ranks).size();
        EXPECT_LE(asked, static_cast<std::size_t>(std::max(f.lr, f.lc))) << print(f);
      }
    }
  }
}

TEST(Fetch25d, RefusalsSayWhyAndShowAnExample) {
  const GemmProblem p = problem(100, 100, 100, 8);
  testing::expect_refusals(p, "fetch25d 4x4 layers=2x2",
                           {{"fetch25d 2", "'2'"},
                            {"fetch25d", "the grid is missing"},
                            {"fetch25d 2x2 layers=2", "layers"},
                            {"fetch25d 2x2 layers=3x1", "expected divisors of 2 and 2"},
                            {"fetch25d 2x2 layers=2x1 crossed", "crossed: expected on one layer"},
                            {"fetch25d 2x2 crossed=2", "'crossed=2' is unknown"},
                            {"fetch25d 2x2 b=4", "'b=4'"}});
  EXPECT_NE(testing::refusal_of(p, "fetch25d 4x4").find("needs 16 ranks, expected at most 8"), std::string::npos);
}

}  // namespace
}  // namespace cairn
