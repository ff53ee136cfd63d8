// Rounds and turns of matrices where the caller holds them.
#include "algorithms/held_by_caller.hpp"
#include "base/arithmetic.hpp"

namespace cairn {

namespace {

// The blocks dealt in `cut` as far as they lie in r, where blocks begin at 0.
Cut within(Cut cut, Range r) {
  const Int before = r.lo < cut.first ? 0 : 1 + (r.lo - cut.first) / cut.block;
  cut.index = cut.index + Affine(-before);
  cut.first = cut.first + before * cut.block - r.lo;
  return cut;
}

Dim within(const Dim& dim, Range r) {
  if (dim.cuts.empty() || r == dim.extent) return {r, dim.cuts};
  return {r, {within(dim.cuts[0], r)}};
}

}  // namespace

Slot Held::part(Slot x, RowsOrCols side, Range r) const {
  if (side == RowsOrCols::rows) return s.part(x, within(s.layout(x).rows, r), s.all);
  return s.part(x, s.all, within(s.layout(x).cols, r));
}

Slot Held::gather(Slot x, RowsOrCols side, Range r, int axis, Here at) const {
  const Layout& l = s.layout(x);
  if (dim_of(l, side).cuts.empty() || alone(axis)) return whole_part(x, side, r);
  const How way = how(l, side, r, axis);
  return s.all_gather(part(x, side, r), axis, way, at);
}

// Blocks of one rank lie apart in the whole, and rows do in columns: few ranks send all of theirs as one run of memory,
// which takes a tenth of the time of MPI's datatypes. Many leave it to whatever way takes few messages.
How Held::how(const Layout& l, RowsOrCols side, Range r, int axis) const {
  constexpr Int few = 16;
  const Int q = s.grid().extent(axis);
  const Cut& cut = dim_of(l, side).cuts[0];
  const bool blocks = cut.kind == Cut::Kind::cyclic && r.size() > q * cut.block;
  const bool across = (l.order == Order::col) == (side == RowsOrCols::rows);
  return {(blocks || across) && q <= few ? Way::packed : Way::open, 0};
}

void Held::add_up(Slot term, Slot sum, RowsOrCols side, Range r, int axis, Here at) const {
  if (alone(axis)) return;
  const Layout& l = s.layout(sum);
  const How way = how(l, side, r, axis);
  s.reduce_scatter(term, part(sum, side, r), axis, way, at);
}

Slot Held::term(Slot sum, RowsOrCols side, Range r, int axis) const {
  Layout l = s.layout(sum);
  if (alone(axis)) return whole_part(sum, side, r);
  dim_of(l, side) = {r, {}};
  return s.partial_sum("C+", std::move(l));
}

// Of two ranks or more, whose pieces of B differ; A has all of k, or pieces of it alike, as many.
bool Held::in_turns(Slot A, int j, Slot B, int i) const {
  const Dim &of_a = s.layout(A).cols, &of_b = s.layout(B).rows;
  const Int q = s.grid().extent(i), k = of_b.extent.size();
  if (alone(i) || of_b.cuts.empty() || b >= k || b < ceil_div(k, q)) return false;
  if (of_a.cuts.empty() || alone(j)) return true;
  const Cut &x = of_a.cuts[0], &y = of_b.cuts[0];
  return x.kind == y.kind && x.parts == y.parts && x.block == y.block && x.first == y.first;
}

// How much further along i the owner is whose turn it is. Where more than two ranks fetch from a line, each begins with
// another one, as in Cannon's skew; of two, each begins with what it has.
Affine Held::turn(int j, Int t) const {
  const bool skewed = s.grid().extent(j) > 2 && !alone(j);
  return skewed ? Affine::along(j) + Affine(t) : Affine(t);
}

Slot Held::rows_in_turn(Slot B, int i, int j, Int t, Here at) const {
  const Affine by = turn(j, t);
  return by == Affine() ? B : s.shift(B, i, by, at);
}

Slot Held::cols_in_turn(Slot A, int j, Slot B, Int t, Here at) const {
  const Dim& k = s.layout(B).rows;
  Cut cut = k.cuts[0];
  cut.index = cut.index + turn(j, t);
  if (!alone(j) && !s.layout(A).cols.cuts.empty())
    return s.shift(A, j, cut.index + -1 * s.layout(A).cols.cuts[0].index, at);
  const bool one_block = cut.kind == Cut::Kind::even || k.extent.size() <= cut.first + (cut.parts - 1) * cut.block;
  const Dim piece{k.extent, {cut}};
  return one_block ? s.part(A, s.all, piece) : s.copy(A, s.all, piece, at);
}

}  // namespace cairn
