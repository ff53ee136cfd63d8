#include "schedule/runs.hpp"

#include <algorithm>

namespace cairn {

std::vector<Run> runs(const IndexSet& held, const IndexSet& part) {
  struct Piece {
    Range global;
    Int local;
  };
  std::vector<Piece> pieces;
  pieces.reserve(held.pieces().size());
  Int before = 0;
  for (Range h : held.pieces()) {
    pieces.push_back({h, before});
    before += h.size();
  }
  const auto ascending = [](const Piece& a, const Piece& b) { return a.global.lo < b.global.lo; };
  if (!std::is_sorted(pieces.begin(), pieces.end(), ascending)) std::sort(pieces.begin(), pieces.end(), ascending);
  std::vector<Run> all;
  for (Range p : part.pieces()) {
    auto h = std::partition_point(pieces.begin(), pieces.end(), [&](const Piece& x) { return x.global.hi <= p.lo; });
    for (; h != pieces.end() && h->global.lo < p.hi; ++h) {
      const Range both = intersect(p, h->global);
      const Int start = h->local + both.lo - h->global.lo;
      if (!all.empty() && all.back().start + all.back().length == start)
        all.back().length += both.size();
      else
        all.push_back({start, both.size()});
    }
  }
  return all;
}

std::vector<Match> matches(const IndexSet& a, const IndexSet& b, const IndexSet& part) {
  std::vector<Match> all;
  const std::vector<Run> in_a = runs(a, part), in_b = runs(b, part);  // the same elements in the same order
  Int from_a = 0, from_b = 0;                                         // how much of a run is matched
  for (std::size_t x = 0, y = 0; x < in_a.size() && y < in_b.size();) {
    const Int length = std::min(in_a[x].length - from_a, in_b[y].length - from_b);
    all.push_back({in_a[x].start + from_a, in_b[y].start + from_b, length});
    from_a += length, from_b += length;
    if (from_a == in_a[x].length) ++x, from_a = 0;
    if (from_b == in_b[y].length) ++y, from_b = 0;
  }
  return all;
}

bool contiguous(const Layout& stored, Int rank, const IndexSet& rows, const IndexSet& cols) {
  if (rows.empty() || cols.empty()) return true;
  const bool col = stored.order == Order::col;
  const IndexSet held_rows = stored.rows_at(rank), held_cols = stored.cols_at(rank);
  const auto inner = col ? runs(held_rows, rows) : runs(held_cols, cols),
             outer = col ? runs(held_cols, cols) : runs(held_rows, rows);
  const Int line = (col ? held_rows : held_cols).size();
  return inner.size() == 1 && outer.size() == 1 && (inner[0].length == line || outer[0].length == 1);
}

}  // namespace cairn
