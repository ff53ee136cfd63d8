// What the paper says of the memory and the words of its 2.5D algorithm.  [dbcsr-25d-rma-2017]
#pragma once
#include "cairn/block_plan.hpp"
#include "planner/plan_panels.hpp"

namespace cairn {

/// Words of memory beside the matrices themselves, over what one layer on the same grid needs.
double block_buffers_over_one_layer(const BlockPlan& plan);

/// S_A and S_B are the words of a rank's panel of V columns or rows, S_C those of its part of C; own panels count.
struct DbcsrPanels {
  double V = 1, S_A = 0, S_B = 0, S_C = 0;
  bool square = true;
  /// Words communicated by a rank: V/√L·(S_A + S_B) + (L − 1)·S_C.  [Equation 7]
  double volume(double L) const;
  /// Memory for buffers over that of one layer.  [Equation 6]
  double memory(double L) const;
};
DbcsrPanels dbcsr_panels(const PanelProblem& problem);

}  // namespace cairn
