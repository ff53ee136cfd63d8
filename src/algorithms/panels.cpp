#include "algorithms/panels.hpp"

#include <fmt/format.h>

#include "algorithms/arguments.hpp"
#include "cairn/error.hpp"

namespace cairn {

namespace {

struct Owned {
  Range range;
  Int rank;
};

// Every piece of the dimension with the first rank that holds it, in the order of indices.
std::vector<Owned> pieces(const Grid& grid, const Dim& dim) {
  std::vector<bool> cuts(static_cast<std::size_t>(grid.axes()), false);
  for (const Cut& cut : dim.cuts)
    for (const Affine::Term& t : cut.index.terms) cuts[static_cast<std::size_t>(t.axis)] = true;
  std::vector<Int> ranks{0};
  for (int axis = 0; axis < grid.axes(); ++axis)
    for (std::size_t r = 0, count = ranks.size(); cuts[static_cast<std::size_t>(axis)] && r < count; ++r)
      for (Int x = 1; x < grid.extent(axis); ++x) ranks.push_back(grid.with(ranks[r], axis, x));
  std::vector<Owned> all;
  for (Int rank : ranks) {
    const IndexSet held = dim.at(grid, rank);
    for (Range r : held.pieces()) all.push_back({r, rank});
  }
  std::sort(all.begin(), all.end(), [](const Owned& a, const Owned& b) { return a.range.lo < b.range.lo; });
  return all;
}

}  // namespace

void require_few_panels(Int extent, Int width) {
  constexpr Int widest = Int{1} << 40U;  // times layers and ranks it still is a number
  if (width > std::max(extent, widest))
    throw ArgumentError(fmt::format("algorithm: panels of width {}, expected at most {}", width, widest));
  if (extent / width >= most_turns)
    throw ArgumentError(fmt::format("algorithm: panels of width {} are more than {} of {} indices, expected wider ones",
                                    width, most_turns, extent));
}

std::vector<Panel> panels(const Grid& grid, const Dim& one, const Dim& other, Int width) {
  require_few_panels(one.extent.size(), width);
  if (one.extent.empty()) return {{one.extent, 0, 0}};
  std::vector<Panel> all;
  const std::vector<Owned> a = pieces(grid, one), b = pieces(grid, other);
  for (std::size_t x = 0, y = 0; x < a.size() && y < b.size();) {
    for (Range r : slices(intersect(a[x].range, b[y].range), width)) all.push_back({r, a[x].rank, b[y].rank});
    const Int end = std::min(a[x].range.hi, b[y].range.hi);
    x += a[x].range.hi == end;
    y += b[y].range.hi == end;
  }
  return all;
}

std::vector<Range> slices(Range range, Int width) {
  width = std::min(width, range.size());
  std::vector<Range> all{{range.lo, std::min(range.lo + width, range.hi)}};
  while (all.back().hi < range.hi) all.push_back({all.back().hi, std::min(all.back().hi + width, range.hi)});
  return all;
}

}  // namespace cairn
