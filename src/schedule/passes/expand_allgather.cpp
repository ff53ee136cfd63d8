// Gathers of even pieces in Shift and Add: position v begins with piece v.  Costs: docs/collectives.md.
#include "schedule/passes/expand.hpp"

namespace cairn {

namespace {

// At time t, piece v - t comes from the neighbour.
void ring(Expansion& e, const Line& l, const Cutting& c, const Move& x) {
  Slot have = x.src;
  for (Int t = 1; t < l.q; ++t) {
    const Slot next = e.view(x.dst, c.one(l.v() + Affine(-t)));
    e.shift(l, have, next, -1, {0, l.q});
    if (t == 1) e.copy(l, x.src, e.view(x.dst, c.one(l.v())), {0, l.q});  // while the first piece travels
    have = next;
  }
}

// Having the pieces [v, v + d), get [v + d, v + 2d).
void bruck(Expansion& e, const Line& l, const Cutting& c, const Move& x) {
  for (Int d = 1; d < l.q; d *= 2) {
    const Int width = std::min(d, l.q - d);
    const Slot have = d == 1 ? x.src : e.view(x.dst, c.span(l.v(), width));
    e.shift(l, have, e.view(x.dst, c.span(l.v() + Affine(d), width)), d, {0, l.q});
    if (d == 1) e.copy(l, x.src, e.view(x.dst, c.one(l.v())), {0, l.q});
  }
}

// Having the group of d pieces that v is in, exchange it with the position whose number differs in bit d.
void doubling(Expansion& e, const Line& l, const Cutting& c, const Move& x) {
  for (Int d = 1; d < l.q; d *= 2) {
    const Slot have = d == 1 ? x.src : e.view(x.dst, c.group(l.v(), d));
    e.shift(l, have, e.view(x.dst, c.group(l.v() + Affine(d), d)), d, {0, l.q, 2 * d, d});
    e.shift(l, have, e.view(x.dst, c.group(l.v() + Affine(-d), d)), -d, {d, l.q, 2 * d, d});
    if (d == 1) e.copy(l, x.src, e.view(x.dst, c.one(l.v())), {0, l.q});
  }
}

// Each with each, as messages of one run of memory: what is a part of something larger is packed before it is sent, and
// all is put in its place after it has arrived.
void packed(Expansion& e, const Move& x) {
  const Line l = e.line(x.axis, 0);
  const Who all{0, l.q};
  const Layout piece = e.layout(x.src);
  Slot mine = x.src;
  if (e.is_view(x.src)) {
    mine = e.got(x.src, piece);
    e.copy(l, x.src, mine, all);
  }
  std::vector<Slot> theirs;
  for (Int t = 1; t < l.q; ++t) {
    theirs.push_back(e.got(x.dst, Expansion::moved(piece, x.axis, t)));
    e.shift(l, mine, theirs.back(), t, all);
  }
  e.copy(l, mine, e.view(x.dst, piece), all);
  for (Slot got : theirs) e.copy(l, got, e.view(x.dst, e.layout(got)), all);
}

}  // namespace

void expand_allgather(Expansion& e, const Move& x) {
  if (x.how.way == Way::packed) return packed(e, x);
  const std::optional<Parted> p = parted(e.layout(x.dst), e.layout(x.src), x.axis);
  const bool direct = x.how.way == Way::direct || x.how.way == Way::open;
  if (direct || !p || p->line.q == 1) return e.keep();
  const Line& l = p->line;
  const bool power_of_two = (l.q & (l.q - 1)) == 0;
  switch (x.how.way) {
    case Way::ring: return ring(e, l, p->cutting, x);
    case Way::doubling:
      if (power_of_two) return doubling(e, l, p->cutting, x);
      [[fallthrough]];
    default: return bruck(e, l, p->cutting, x);
  }
}

}  // namespace cairn
