// What no grid of a box of grids can undercut.
#pragma once
#include "planner/cosma_cost.hpp"
#include "planner/grids.hpp"

namespace cairn {

class GridBounds {
 public:
  explicit GridBounds(const Dims& d) : d_(d) {}

  Int extent(std::size_t dim) const { return dim == 0 ? d_.m : dim == 1 ? d_.n : d_.k; }
  /// What is received and computed in `rounds` rounds on at most `ranks` ranks.
  CosmaClock::Least least(const GridBox& box, Int ranks, Int rounds = 1) const;
  /// Words of memory: shares of A, B and C, partial sums, and the thinnest panels that there are.
  /// With rounds of k, or else with those of any dimension.
  double memory(const GridBox& box, bool all_rounds) const;

 private:
  double received(const GridBox& box, Int ranks) const;
  bool both_ways(const GridBox& box) const;
  double share_of_c(const GridBox& box, double M, double N) const;
  double memory_by_round(const GridBox& box) const;

  Dims d_;
};

}  // namespace cairn
