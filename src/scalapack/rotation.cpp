#include "scalapack/rotation.hpp"

namespace cairn::scalapack {

Labels Rotation::labels(const ProcessGrid& grid) const {
  if (row == 0 && col == 0) return {};
  std::vector<Int> ranks;
  for (Int i = 0; i < grid.rows; ++i)
    for (Int j = 0; j < grid.cols; ++j) ranks.push_back((i + row) % grid.rows * grid.cols + (j + col) % grid.cols);
  return Labels(std::move(ranks));
}

Dealt Rotation::turned(Dealt x, int by) {
  if (!x.everywhere()) x.src = static_cast<int>(wrap(x.src - by, x.parts));
  return x;
}

Layout Rotation::layout(const Descriptor& d, Int i, Int j, Int m, Int n, const ProcessGrid& grid) const {
  return layout_of(turned(rows_of(d, grid).from(i), row), m, turned(cols_of(d, grid).from(j), col), n, grid);
}

bool lies_in_blocks(const Dealt& x, Int extent, Int b, int src) {
  if (x.parts == 1 || extent == 0) return true;
  if (x.src != src) return false;  // or there are copies
  return extent <= std::min(x.first, b) || (x.first == b && x.block == b);
}

}  // namespace cairn::scalapack
