// Seconds of all ranks, sums of what depends on the coordinates of few axes each: kept by these axes.
#pragma once
#include <vector>

#include "interpret/even_steps.hpp"

namespace cairn {

class AxisSums {
 public:
  explicit AxisSums(const Grid& grid) : grid_(grid) {}

  /// Seconds of the ranks of the lines that take part in a step, by coordinate along its axis.
  double* of(const EvenStep& step);
  /// Of every rank.
  std::vector<double> all() const;

 private:
  struct Table {
    std::vector<int> axes;
    std::vector<double> seconds;  // the last axis is fastest
  };
  const Grid& grid_;
  std::vector<Table> tables_;
};

}  // namespace cairn
