// Panels of the matrices of a product: known ones, or, where patterns are not known yet, as BlockDistribution::dealt
// deals them.
#pragma once
#include "cairn/block_problem.hpp"
#include "planner/product_panels.hpp"

namespace cairn {

/// Share of the blocks of C that are expected, or said, to be computed.
double expected_occupancy(const BlockProblem& problem);
/// Products of blocks for each block of C, in random patterns: its occupancy cannot be more.
double expected_products(const BlockProblem& problem);
/// Words of each matrix, as expected.
double expected_words(const BlockDim& rows, const BlockDim& cols, double occupancy);

/// On that grid, or on the one of the panels, if these are known.
ProductPanels product_panels(const BlockProblem& problem, const PanelGrid& grid);

/// The same for those who choose a grid, without any panel.
PanelProblem panel_problem(const BlockProblem& problem, const PanelGrid& grid);

}  // namespace cairn
