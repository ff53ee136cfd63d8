// Panels of the matrices of a product whose patterns are not known yet, where BlockDistribution::dealt deals them.
#pragma once
#include "cairn/block_problem.hpp"
#include "planner/plan_panels.hpp"
#include "schedule/panel_schedule.hpp"

namespace cairn {

/// Share of the blocks of C that are expected, or said, to be computed.
double expected_occupancy(const BlockProblem& problem);
/// Products of blocks for each block of C, in random patterns: its occupancy cannot be more.
double expected_products(const BlockProblem& problem);
/// Words of each matrix, as expected.
double expected_words(const BlockDim& rows, const BlockDim& cols, double occupancy);

/// On a grid of pr × pc ranks.
struct DealtPanels {
  DealtPanels(const BlockProblem& problem, Int pr, Int pc);

  PanelProblem problem;  ///< for those who choose a schedule
  PanelParts m, n, k;
  SizedPanels::Sizes A, B;
  ExpectedSums sums;
};

/// The same for those who choose a grid, without any panel.
PanelProblem panel_problem(const BlockProblem& problem, Int pr, Int pc);

}  // namespace cairn
