// Which schedule multiplies panels of block-sparse matrices.
#include "planner/plan_panels.hpp"

#include <gtest/gtest.h>

namespace cairn {
namespace {

// A is full, B has panels on its diagonal alone: ranks (0, 1) and (1, 0) of four receive one of these, and nobody one
// of A.
TEST(PlanPanels, OneLayerReceivesNothingThatMeetsNothing) {
  PanelSizes A(2, 2), B(2, 2);
  for (Int i = 0; i < 2; ++i) {
    for (Int s = 0; s < 2; ++s) A.at(i, s).words = 100;
    B.at(i, i).words = 10;
  }
  PanelProblem p{{2, 2}, 400, 20, [](double) { return 30.0; }};
  EXPECT_GT(panel_candidates(p).front().received, 5);
  p.on_one_layer = received_on_one_layer(A, B, p);
  EXPECT_EQ(p.on_one_layer, 5);
  EXPECT_EQ(panel_candidates(p).front().received, 5);
  EXPECT_EQ(panel_candidates(p).front().form.layers(), 1);
}

// Where nothing is empty it is what the closed form says.
TEST(PlanPanels, OneLayerOfFullPanelsReceivesTheClosedForm) {
  for (const PanelGrid& grid : {PanelGrid{1, 1}, PanelGrid{3, 3}, PanelGrid{2, 4}, PanelGrid{4, 6}, PanelGrid{1, 5},
                                PanelGrid{3, 3, true}, PanelGrid{2, 4, true}}) {
    const Int pr = grid.pr, pc = grid.pc, V = grid.k;
    PanelSizes A(pr, V), B(V, pc);
    for (Int s = 0; s < V; ++s) {
      for (Int i = 0; i < pr; ++i) A.at(i, s).words = 6;
      for (Int j = 0; j < pc; ++j) B.at(s, j).words = 4;
    }
    const double a = static_cast<double>(A.words()), b = static_cast<double>(B.words());
    EXPECT_DOUBLE_EQ(received_on_one_layer(A, B, grid),
                     received(Fetch25d{pr, pc, 1, 1}, a, b, [](double) { return 0.0; }))
        << pr << 'x' << pc;
  }
}

TEST(PlanPanels, PanelsAreNumberedByTheirRanks) {
  for (const PanelGrid& grid : {PanelGrid{4, 6}, PanelGrid{3, 3}, PanelGrid{4, 6, true}, PanelGrid{3, 3, true}}) {
    EXPECT_EQ(grid.k, grid.crossed ? grid.pr * grid.pc : grid.pr == 4 ? 12 : 3);
    for (Int s = 0; s < grid.k; ++s) {
      EXPECT_EQ(grid.number_in_a(grid.column_of_a(s), grid.place_in_a(s)), s);
      EXPECT_EQ(grid.number_in_b(grid.row_of_b(s), grid.place_in_b(s)), s);
      EXPECT_LT(grid.place_in_a(s), grid.of_a);
      EXPECT_LT(grid.place_in_b(s), grid.of_b);
    }
  }
}

}  // namespace
}  // namespace cairn
