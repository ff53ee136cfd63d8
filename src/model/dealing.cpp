#include "model/dealing.hpp"

#include <algorithm>

namespace cairn {

bool dealt_about_evenly(const Dim& dim, const Grid& grid, int axis, Int block) {
  if (dim.cuts.empty()) return grid.extent(axis) == 1;
  const Cut& cut = dim.cuts.front();
  const Affine along = Affine::along(axis);
  if (dim.cuts.size() > 1 || cut.kind != Cut::Kind::cyclic || cut.parts != grid.extent(axis)) return false;
  if (!(cut.index == along + cut.index.at(grid, 0))) return false;
  const auto largest_share = [&](const Dim& x) {
    Int most = 0;
    for (Int i = 0; i < cut.parts; ++i) most = std::max(most, x.size(grid, grid.with(0, axis, i)));
    return most;
  };
  const Dim even{dim.extent, {{Cut::Kind::cyclic, cut.parts, along, block, block, {}}}};
  return 8 * largest_share(dim) <= 9 * largest_share(even);
}

}  // namespace cairn
