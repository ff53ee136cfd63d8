// Broadcasts in Shift and Add.  [hsumma-2014 §2.4, §4.1, §4.2; cosma-sc19 §7.2]  Costs: docs/collectives.md.
#include "schedule/passes/expand.hpp"

namespace cairn {

// Position v, of lowest bit d, receives the pieces [v, v + d) and hands out all but its own.
void scatter(Expansion& e, const Line& l, const Cutting& c, Slot x) {
  Slot from = x;
  for (Int d = l.half(); d >= 1; d /= 2) {
    const Slot part = e.view(x, c.group(l.v(), d));
    e.shift(l, from, part, -d, {d, l.q, 2 * d, 1});
    from = part;
  }
}

namespace {

// At time t position v receives piece v - t = v + (q - t), unless it has that since the scatter: where the lowest bit
// of v is above q - t, and v + (q - t) no more than the last piece.
void ring_after_scatter(Expansion& e, const Line& l, const Cutting& c, Slot x) {
  for (Int t = 1; t < l.q; ++t) {
    const Slot from = e.view(x, c.one(l.v() + Affine(1 - t))), piece = e.view(x, c.one(l.v() + Affine(-t)));
    Int bit = 1;
    while (bit <= l.q - t) bit *= 2;
    if (bit > 1) e.shift(l, from, piece, -1, {1, l.q, bit, bit - 1});
    const Int first = std::max((t + bit - 1) / bit, Int{1}) * bit;
    if (first < l.q) e.shift(l, from, piece, -1, {first, l.q, bit, 1});
  }
}

void bruck_after_scatter(Expansion& e, const Line& l, const Cutting& c, Slot x) {
  for (Int d = 1; d < l.q; d *= 2) {
    const Int width = std::min(d, l.q - d);
    const Slot from = e.view(x, c.span(l.v(), width)), pieces = e.view(x, c.span(l.v() + Affine(d), width));
    e.shift(l, from, pieces, d, {1, l.q});
  }
}

void chain(Expansion& e, const Line& l, Slot x, Int segments) {
  Chain chain(e, l, x, segments, Chain::Direction::from_root);
  for (Int t = 1; t <= chain.times(); ++t)
    for (const Chain::Hop& h : chain.hops(t)) e.shift(l, h.src, h.dst, -1, h.who);
}

}  // namespace

void expand_bcast(Expansion& e, const Move& x) {
  const Line l = e.line(x.axis, x.origin);
  e.copy(l, x.src, x.dst, {0, 1});
  if (l.q == 1) return;
  switch (x.how.way) {
    case Way::chain: return chain(e, l, x.dst, x.how.segments > 0 ? x.how.segments : l.q);
    case Way::scatter_allgather:
    case Way::scatter_bruck: {
      const Cutting c = cutting(e.layout(x.dst), l.q);
      scatter(e, l, c, x.dst);
      return x.how.way == Way::scatter_bruck ? bruck_after_scatter(e, l, c, x.dst) : ring_after_scatter(e, l, c, x.dst);
    }
    default:
      for (const Round& r : tree(x.how.way, l)) e.shift(l, x.dst, x.dst, -r.d, r.who);
  }
}

}  // namespace cairn
