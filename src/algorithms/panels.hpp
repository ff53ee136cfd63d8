// Panels: ranges of a dimension that two matrices share, each short enough and with one owner in either matrix.
#pragma once
#include <vector>

#include "cairn/layout.hpp"

namespace cairn {

/// Indices that, along the axes that cut them, one coordinate holds in one matrix and one in the other.
struct Panel {
  Range range;
  Int first, second;  ///< a rank with that coordinate: Grid::index(rank, axis) is the owner's place on the axis
};

/// The dimension of which `one` and `other` are two layouts, in panels of at most `width` indices, in order. A panel
/// ends where a piece of either layout ends. An empty dimension is one empty panel.
/// Throws ArgumentError if there are more than a million panels.
std::vector<Panel> panels(const Grid& grid, const Dim& one, const Dim& other, Int width);

/// Throws ArgumentError if `extent` indices make more than a million panels of `width`.
void require_few_panels(Int extent, Int width);

/// A range in pieces of `width`, the last one shorter; an empty range is one empty piece.
std::vector<Range> slices(Range range, Int width);

}  // namespace cairn
