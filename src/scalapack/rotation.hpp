// Matrices whose first block is not at the grid's first rank: algorithms see them as if it were.
#pragma once
#include "model/labels.hpp"
#include "scalapack/descriptor.hpp"

namespace cairn::scalapack {

/// Where a matrix begins: positions are counted from this grid row and column on, around the grid.
struct Rotation {
  int row = 0, col = 0;

  /// Which rank is at each position.
  Labels labels(const ProcessGrid& grid) const;
  /// Rows, or columns, over positions.
  static Dealt turned(Dealt x, int by);
  /// sub(X), m × n from (i, j) on, as a layout over positions.
  Layout layout(const Descriptor& d, Int i, Int j, Int m, Int n, const ProcessGrid& grid) const;
};

/// Whether `extent` indices, dealt so from `src` on, are where blocks of b would be.
bool lies_in_blocks(const Dealt& x, Int extent, Int b, int src);

}  // namespace cairn::scalapack
