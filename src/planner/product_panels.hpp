// Panels of a product of block-sparse matrices on one grid: as large as they are, or as they are expected to be.
#pragma once
#include "planner/plan_panels.hpp"
#include "schedule/panel_schedule.hpp"

namespace cairn {

struct ProductPanels {
  PanelProblem problem;  ///< for those who choose a schedule
  PanelParts m, n, k;
  SizedPanels::Sizes A, B;
  ExpectedSums sums;
};

/// Of panels of A and B that are there. `computed` says which share of each panel of C is computed, row by row; empty:
/// all of them.
ProductPanels known_panels(const PanelGrid& grid, SizedPanels::Sizes A, SizedPanels::Sizes B, PanelParts m,
                           PanelParts n, PanelParts k, std::vector<double> computed = {});

}  // namespace cairn
