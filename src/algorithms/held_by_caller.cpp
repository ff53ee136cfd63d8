#include "algorithms/held_by_caller.hpp"

#include "base/arithmetic.hpp"

namespace cairn {

namespace {

// The axis that alone cuts a dimension into as many pieces as it has ranks, -1 if nothing cuts it, nothing otherwise.
std::optional<int> axis_of(const Dim& dim, const Grid& grid) {
  if (dim.cuts.empty()) return -1;
  const Cut& cut = dim.cuts[0];
  const auto& terms = cut.index.terms;
  const bool one_each = cut.kind == Cut::Kind::even || cut.kind == Cut::Kind::cyclic || cut.kind == Cut::Kind::bounds;
  if (dim.cuts.size() > 1 || !one_each || terms.size() != 1 || terms[0].factor != 1) return {};
  if (cut.parts != grid.extent(terms[0].axis)) return {};
  return terms[0].axis;
}

// What lies in one block is uncut, and lives where that block does: nobody else along the axis takes part.
void confine(Layout& l, Dim& dim, int axis) {
  const Cut& cut = dim.cuts[0];
  const Int size = dim.extent.size();
  if (cut.kind != Cut::Kind::cyclic || cut.parts == 1 || size == 0 || size > cut.first) return;
  l.where.push_back({axis, wrap(-cut.index.constant, cut.parts)});
  dim.cuts.clear();
}

}  // namespace

std::optional<Staying> staying(const Seen& held) {
  if (!held.layout || held.layout->blocks || held.layout->grid.placed() || held.layout->grid.axes() != 2 ||
      !held.layout->where.empty())
    return {};
  Layout l = *held.layout;
  const std::optional<int> by_rows = axis_of(l.rows, l.grid), by_cols = axis_of(l.cols, l.grid);
  if (!by_rows || !by_cols || (*by_rows == *by_cols && *by_rows >= 0)) return {};
  const int i = *by_rows >= 0 ? *by_rows : *by_cols >= 0 ? 1 - *by_cols : 0, j = 1 - i;
  if (l.rows.cuts.empty()) l.rows.cuts = {Cut::even(l.grid, i)};
  if (l.cols.cuts.empty()) l.cols.cuts = {Cut::even(l.grid, j)};
  confine(l, l.rows, i);
  confine(l, l.cols, j);
  return Staying{std::move(l), i, j};
}

bool Held::alone(int axis) const {
  const auto here = [axis](Layout::Where w) { return w.axis == axis; };
  return s.grid().extent(axis) == 1 || std::any_of(where.begin(), where.end(), here);
}

// So that each rank along the axis has as much of each round, or nearly.
Dim Held::even(Dim dim, int axis) const {
  const Int parts = s.grid().extent(axis), block = ceil_div(b, parts);
  if (one_round(dim))
    dim.cuts = {Cut::even(s.grid(), axis)};
  else
    dim.cuts = {Cut{Cut::Kind::cyclic, parts, Affine::along(axis), block, block, {}}};
  return dim;
}

bool Held::may_stay(const Dim& dim, int axis) const {
  if (dim.cuts.size() != 1) return dim.cuts.empty();
  const Cut& cut = dim.cuts[0];
  const bool dealt = cut.kind == Cut::Kind::cyclic || (cut.kind == Cut::Kind::even && one_round(dim));
  return dealt && cut.parts == s.grid().extent(axis) && cut.index.terms == Affine::along(axis).terms;
}

std::optional<Layout> Held::as_held(const Seen& held, Layout l, RowsOrCols side, int axis, bool cut) const {
  if (!held.layout) return {};
  Layout seen = *held.layout;
  const Dim& own = dim_of(seen, side);
  if (seen.grid.axes() != 2 || !may_stay(own, axis) || (cut && own.cuts.empty())) return {};
  dim_of(l, side).cuts = own.cuts;
  if (!seen.same_ownership(l, ranks)) return {};
  return l;
}

Layout Held::laid(const Seen& held, const Dim& rows, const Dim& cols, RowsOrCols side, int axis, bool cut) const {
  const Order order = held.layout ? held.layout->order : Order::col;
  Layout l = s.layout(rows.extent, rows.cuts, cols.extent, cols.cuts, order);
  l.where = where;
  if (alone(axis)) return l;
  if (const auto there = as_held(held, l, side, axis, cut)) return *there;
  Dim& dim = dim_of(l, side);
  if (cut || !held.layout || !one_round(dim)) dim = even(dim, axis);
  return l;
}

}  // namespace cairn
