#include "program/array.hpp"

#include <algorithm>

namespace cairn {

LocalView Array::view(Range r, Range c) const {
  LocalView v{storage, offset, r.size(), c.size(), ld, order};
  v.offset += r.lo * v.rs() + c.lo * v.cs();
  return v;
}

std::vector<LocalView> blocks(const Array& a, const IndexSet& rows, const IndexSet& cols) {
  std::vector<LocalView> all;
  for (Run c : runs(a.cols, cols))
    for (Run r : runs(a.rows, rows))
      all.push_back(a.view({r.start, r.start + r.length}, {c.start, c.start + c.length}));
  return all;
}

Lines lines(const Array& a, const IndexSet& rows, const IndexSet& cols, Uplo shape) {
  const bool col = a.order == Order::col;
  if (!col) shape = transposed(shape);
  return {col ? runs(a.rows, rows) : runs(a.cols, cols), col ? runs(a.cols, cols) : runs(a.rows, rows), a.ld, a.offset,
          shape};
}

namespace {

// Where lines are cut into runs, few lines at a time: memory is then written in order, not a run of each line in turn.
void in_order(std::vector<Match>& lines, std::size_t runs) {
  constexpr Int few = 8;
  if (runs <= 1) return;
  std::vector<Match> short_ones;
  for (const Match& m : lines)
    for (Int at = 0; at < m.length; at += few)
      short_ones.push_back({m.in_a + at, m.in_b + at, std::min(few, m.length - at)});
  lines = std::move(short_ones);
}

Range range(Int start, Int length) { return {start, start + length}; }

}  // namespace

// Both sides are cut where either is, so that blocks pair up.
std::vector<LocalUpdate::Pair> pairs(const Array& to, const Array& from, const IndexSet& rows, const IndexSet& cols) {
  std::vector<LocalUpdate::Pair> all;
  std::vector<Match> down = matches(to.rows, from.rows, rows), across = matches(to.cols, from.cols, cols);
  const auto add = [&](const Match& r, const Match& c) {
    all.push_back({to.view(range(r.in_a, r.length), range(c.in_a, c.length)),
                   from.view(range(r.in_b, r.length), range(c.in_b, c.length))});
  };
  const bool col = to.order == Order::col;
  in_order(col ? across : down, col ? down.size() : across.size());
  for (const Match& outer : col ? across : down)
    for (const Match& inner : col ? down : across) col ? add(inner, outer) : add(outer, inner);
  return all;
}

std::vector<LocalUpdate::Pair> unpacked(const Array& a, const IndexSet& rows, const IndexSet& cols) {
  std::vector<LocalUpdate::Pair> all;
  Int at = 0;
  for (const LocalView& block : blocks(a, rows, cols)) {  // one block, as views of caller's results are
    all.push_back({block, {-1, at, block.rows, block.cols, (a.order == Order::col ? rows : cols).size(), a.order}});
    at += block.rows * block.cols;
  }
  return all;
}

}  // namespace cairn
