#include "schedule/overlaps.hpp"

#include <map>

namespace cairn {

namespace {

// Both ascend.
Int shared(const IndexSet& a, const IndexSet& b) {
  Int sum = 0;
  for (auto x = a.pieces().begin(), y = b.pieces().begin(); x != a.pieces().end() && y != b.pieces().end();) {
    sum += intersect(*x, *y).size();
    x->hi < y->hi ? ++x : ++y;
  }
  return sum;
}

}  // namespace

SharedIndices::Side::Side(const Dim& dim, const Grid& grid, Int ranks) {
  std::map<std::vector<Int>, std::size_t> numbers;
  for (Int r = 0; r < std::min(ranks, grid.ranks()); ++r) {
    if (!grid.has(r)) {  // nobody asks
      of.push_back(0);
      continue;
    }
    std::vector<Int> cuts;
    for (const Cut& cut : dim.cuts) cuts.push_back(wrap(cut.index.at(grid, r), cut.parts));
    const auto [at, is_new] = numbers.emplace(std::move(cuts), sets.size());
    if (is_new) sets.push_back(dim.at(grid, r));
    of.push_back(at->second);
  }
}

SharedIndices::SharedIndices(const Dim& a, const Grid& grid_a, const Dim& b, const Grid& grid_b, Int ranks)
    : a_(a, grid_a, ranks), b_(b, grid_b, ranks), shared_(a_.sets.size() * b_.sets.size(), -1) {}

Int SharedIndices::size(Int rank_in_a, Int rank_in_b) {
  const std::size_t a = a_.of[static_cast<std::size_t>(rank_in_a)], b = b_.of[static_cast<std::size_t>(rank_in_b)];
  Int& known = shared_[a * b_.sets.size() + b];
  if (known < 0) known = shared(a_.sets[a], b_.sets[b]);
  return known;
}

Overlaps::Overlaps(const Layout& src, const Layout& dst, Int ranks)
    : src_(src),
      dst_(dst),
      rows_(src.rows, src.grid, dst.rows, dst.grid, ranks),
      cols_(src.cols, src.grid, dst.cols, dst.grid, ranks) {}

Int Overlaps::words(Int from, Int to) {
  if (!src_.live(from) || !dst_.live(to)) return 0;
  const Int rows = rows_.size(from, to);
  return rows == 0 ? 0 : rows * cols_.size(from, to);
}

}  // namespace cairn
