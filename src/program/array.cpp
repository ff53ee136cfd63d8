#include "program/array.hpp"

#include <numeric>

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

PairedBlock::Side side(const Array& a) {
  return a.order == Order::col ? PairedBlock::Side{a.storage, a.offset, 1, a.ld}
                               : PairedBlock::Side{a.storage, a.offset, a.ld, 1};
}

}  // namespace

PairedBlock paired(const Array& to, const Array& from, const IndexSet& rows, const IndexSet& cols) {
  return {matches(to.rows, from.rows, rows), matches(to.cols, from.cols, cols), side(to), side(from)};
}

Array in_message(Int at, const IndexSet& rows, const IndexSet& cols, Order order) {
  return {-1, at, rows, cols, (order == Order::col ? rows : cols).size(), order};
}

PairedBlock unpacked(const Array& a, const IndexSet& rows, const IndexSet& cols) {
  return paired(a, in_message(0, rows, cols, a.order), rows, cols);
}

Int PairedBlock::words() const {
  const auto sum = [](const std::vector<Match>& all) {
    return std::accumulate(all.begin(), all.end(), Int{0}, [](Int n, const Match& m) { return n + m.length; });
  };
  return sum(rows) * sum(cols);
}

Int LocalUpdate::words() const {
  return std::accumulate(blocks.begin(), blocks.end(), Int{0}, [](Int n, const auto& b) { return n + b.words(); });
}

}  // namespace cairn
