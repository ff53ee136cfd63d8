// Which panel each block of a product's inner dimension belongs to.
#pragma once
#include <vector>

#include "cairn/blocks.hpp"
#include "planner/plan_panels.hpp"
#include "schedule/expected_panels.hpp"

namespace cairn {

/// Blocks of the inner dimension are dealt to panels such that operands need not move if they lie well: A on the grid
/// of C with its rows, B with its columns, and their inner dimension dealt alike; or in any way where panels are
/// crossed.
struct PanelDeal {
  /// Of C, on whose grid they are, and of op(A) and op(B) as they lie.
  PanelDeal(const BlockDistribution& c, const BlockDistribution& a_lies, const BlockDistribution& b_lies,
            const PanelGrid& panels);

  PanelGrid grid;
  std::vector<BlockIndex> panel;  ///< by block of the inner dimension
  BlockDistribution a, b;         ///< where op(A) and op(B) have to lie
  bool may_cross = false;         ///< whether neither operand has to be moved if panels are crossed
  bool moves = false;             ///< whether one has to be
};

/// What is in each of `count` parts of a dimension: of the blocks in a range, those that belong to it.
PanelParts panel_parts(const BlockSizes& sizes, BlockRange range, const std::vector<BlockIndex>& part_of, Int count);

}  // namespace cairn
