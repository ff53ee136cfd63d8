#include "model/whole_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/arithmetic.hpp"

namespace cairn {

namespace {

// Whether pieces of other numbers share no element.
bool numbers_tell(const Layout& l) {
  for (const Dim* dim : {&l.rows, &l.cols})
    for (const Cut& cut : dim->cuts)
      if (cut.kind == Cut::Kind::span || (cut.kind == Cut::Kind::classes && cut.holders.overlapping())) return false;
  return true;
}

// Which pieces a rank keeps, by their numbers in each cut.
std::vector<Int> numbers_of(const Layout& l, Int rank) {
  std::vector<Int> numbers;
  for (const Dim* dim : {&l.rows, &l.cols})
    for (const Cut& cut : dim->cuts) {
      if (cut.kind == Cut::Kind::each) continue;
      const Int index = wrap(cut.index.at(l.grid, rank), cut.parts);
      numbers.push_back(cut.kind == Cut::Kind::group ? index / cut.block : index);
    }
  return numbers;
}

bool cover(std::vector<Range> pieces, Int end) {
  std::ranges::sort(pieces);
  Int to = 0;
  for (Range r : pieces) {
    if (r.lo > to) return false;
    to = std::max(to, r.hi);
  }
  return to >= end;
}

// Where a rank begins, or ends, to hold rows.
struct Edge {
  Int row, rank;
  bool begins;
};
std::vector<Edge> edges_of(const Layout& l) {
  std::vector<Edge> edges;
  for (Int rank = 0; rank < l.grid.ranks(); ++rank) {
    if (l.original(rank) != rank) continue;
    const IndexSet rows = l.rows_at(rank);
    for (Range r : rows.pieces())
      if (!r.empty()) edges.insert(edges.end(), {{r.lo, rank, true}, {r.hi, rank, false}});
  }
  edges.push_back({l.m(), -1, true});
  std::ranges::sort(edges, {}, [](const Edge& e) { return std::pair(e.row, e.begins); });
  return edges;
}

}  // namespace

bool any_meet(const std::vector<Patch>& patches) {
  for (std::size_t a = 0; a < patches.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (!patches[a].rows.intersect(patches[b].rows).empty() && !patches[a].cols.intersect(patches[b].cols).empty())
        return true;
  return false;
}

// Where ranks hold as many elements as there are, and none twice, each lies somewhere.
std::optional<std::string> unless_whole(std::string_view name, const Layout& l) {
  if (l.blocks) return {};  // owners are looked at when they are given
  Int words = 0;
  const bool by_numbers = numbers_tell(l);
  std::vector<std::vector<Int>> held;
  std::vector<Patch> patches;
  for (Int rank = 0; rank < l.grid.ranks(); ++rank) {
    if (!l.live(rank) || l.original(rank) != rank) continue;
    const Int mine = l.words(rank);
    words += mine;
    if (mine > 0 && by_numbers) held.push_back(numbers_of(l, rank));
    if (mine > 0 && !by_numbers) patches.push_back({l.rows_at(rank), l.cols_at(rank)});
  }
  std::ranges::sort(held);
  const bool twice = by_numbers ? std::ranges::adjacent_find(held) != held.end() : any_meet(patches);
  if (words == l.m() * l.n() && !twice) return {};
  return fmt::format(
      "{}: ranks hold {} of {} elements{}, expected each of them once, or in copies along an axis of the grid", name,
      words, l.m() * l.n(), twice ? ", some several times" : "");
}

// From one edge to the next all rows are on the same ranks, and few such sets of ranks are different.
std::optional<std::string> unless_covered(std::string_view name, const Layout& l) {
  std::set<Int> here;
  std::set<std::vector<Int>> covering;
  Int row = 0;
  for (const Edge& e : edges_of(l)) {
    if (e.row > row && covering.emplace(here.begin(), here.end()).second) {
      std::vector<Range> pieces;
      for (Int rank : here) {
        const IndexSet cols = l.cols_at(rank);
        pieces.insert(pieces.end(), cols.pieces().begin(), cols.pieces().end());
      }
      if (!cover(std::move(pieces), l.n()))
        return fmt::format("{}: elements of row {} are on no rank, expected each on one or more", name, row);
    }
    row = e.row;
    if (e.begins)
      here.insert(e.rank);
    else
      here.erase(e.rank);
  }
  return {};
}

}  // namespace cairn
