#include "schedule/overlaps.hpp"

#include <algorithm>
#include <limits>
#include <list>
#include <map>

namespace cairn {

namespace {

// Calls visit(interval) for what both have. Both ascend.
template <class Visit>
void for_each_common(const IndexSet& a, const IndexSet& b, Visit visit) {
  for (auto x = a.pieces().begin(), y = b.pieces().begin(); x != a.pieces().end() && y != b.pieces().end();) {
    visit(intersect(*x, *y));
    x->hi < y->hi ? ++x : ++y;
  }
}

IndexSets found(const Dim& dim, const Grid& grid, Int ranks) {
  IndexSets found;
  std::map<std::vector<Int>, std::size_t> numbers;
  for (Int r = 0; r < std::min(ranks, grid.ranks()); ++r) {
    if (!grid.has(r)) {  // nobody asks
      found.of.push_back(0);
      continue;
    }
    std::vector<Int> cuts;
    for (const Cut& cut : dim.cuts) cuts.push_back(wrap(cut.index.at(grid, r), cut.parts));
    const auto [at, is_new] = numbers.emplace(std::move(cuts), found.sets.size());
    if (is_new) found.sets.push_back(dim.at(grid, r));
    found.of.push_back(at->second);
  }
  return found;
}

struct Known {
  Dim dim;
  Grid grid;
  Int ranks;
  std::shared_ptr<const IndexSets> sets;
};

// The caller's layouts are compared with those of one algorithm after another.
std::shared_ptr<const IndexSets> index_sets(const Dim& dim, const Grid& grid, Int ranks) {
  constexpr std::size_t remembered = 16;
  thread_local std::list<Known> known;
  auto at = std::find_if(known.begin(), known.end(),
                         [&](const Known& k) { return k.ranks == ranks && k.grid == grid && k.dim == dim; });
  if (at == known.end()) {
    if (known.size() == remembered) known.pop_back();
    auto sets = std::make_shared<const IndexSets>(found(dim, grid, ranks));
    at = known.insert(known.begin(), {dim, grid, ranks, std::move(sets)});
  }
  known.splice(known.begin(), known, at);
  return at->sets;
}

std::vector<bool> live(const Layout& l, Int ranks) {
  std::vector<bool> live(static_cast<std::size_t>(ranks));
  for (Int r = 0; r < ranks; ++r) live[static_cast<std::size_t>(r)] = l.live(r);
  return live;
}

}  // namespace

CommonIndices::CommonIndices(const Dim& a, const Grid& grid_a, const Dim& b, const Grid& grid_b, Int ranks,
                             Stairs stairs)
    : a_(index_sets(a, grid_a, ranks)),
      b_(index_sets(b, grid_b, ranks)),
      strips_(static_cast<std::size_t>(stairs.strips())),
      width_(stairs.shape == Uplo::full ? std::numeric_limits<Int>::max() : stairs.width()),
      common_(a_->sets.size() * b_->sets.size() * strips_, -1) {}

void CommonIndices::find(std::size_t a, std::size_t b, std::span<Int> sizes) const {
  std::fill(sizes.begin(), sizes.end(), 0);
  for_each_common(a_->sets[a], b_->sets[b], [&](Range both) {
    while (!both.empty()) {
      const Int strip = both.lo / width_, end = std::min(both.hi, width_ + strip * width_);
      sizes[static_cast<std::size_t>(strip)] += end - both.lo;
      both.lo = end;
    }
  });
}

Overlaps::Overlaps(const Layout& src, const Layout& dst, Int ranks, Stairs stairs)
    : stairs_(stairs),
      sends_(live(src, ranks)),
      receives_(live(dst, ranks)),
      rows_(src.rows, src.grid, dst.rows, dst.grid, ranks, stairs),
      cols_(src.cols, src.grid, dst.cols, dst.grid, ranks, stairs) {}

}  // namespace cairn
