// Sums of which every position keeps its piece, in Shift and Add.  Costs: docs/collectives.md.
#include "schedule/passes/expand.hpp"

namespace cairn {

namespace {

// result ←update mine + what the position d before has of it.
void last(Expansion& e, const Line& l, Int d, Slot theirs, Slot mine, Slot result, Update update) {
  const Who all{0, l.q};
  if (update == Update::overwrite) {
    e.shift(l, theirs, result, -d, all);
    return e.add(l, mine, result, all, Update::accumulate);
  }
  const Slot got = e.got(result, e.layout(result));
  e.shift(l, theirs, got, -d, all);
  e.add(l, mine, result, all, update);
  e.add(l, got, result, all, Update::accumulate);
}

// The sum of a piece sets out from the position behind its own and goes around, everyone adding its part.
void ring(Expansion& e, const Line& l, const Cutting& c, const Move& x) {
  Slot have = x.src;
  for (Int t = 1; t < l.q - 1; ++t) {
    const Slot next = e.got(x.dst, c.one(l.v() + Affine(-1 - t)));
    e.shift(l, have, next, -1, {0, l.q});
    e.add(l, x.src, next, {0, l.q}, Update::accumulate);
    have = next;
  }
  last(e, l, 1, have, x.src, x.dst, x.update);
}

// Each with each, as messages of one run of memory: a rank's term of another's piece is packed, then sent.
void packed(Expansion& e, const Move& x) {
  const Line l = e.line(x.axis, 0);
  const Who all{0, l.q};
  const Layout piece = e.layout(x.dst);
  std::vector<Slot> theirs;
  for (Int t = 1; t < l.q; ++t) {
    const Slot term = e.sum(x.dst, Expansion::moved(piece, x.axis, t));
    e.copy(l, e.view(x.src, e.layout(term)), term, all);
    theirs.push_back(e.got(x.dst, piece));
    e.shift(l, term, theirs.back(), -t, all);
  }
  e.add(l, e.view(x.src, piece), x.dst, all, x.update);
  for (Slot got : theirs) e.add(l, got, x.dst, all, Update::accumulate);
}

void through_one_rank(Expansion& e, const Line& l, const Cutting& c, const Move& x) {
  const Slot sum = e.sum(x.dst, e.layout(x.src));
  sum_along(e, l, tree(Way::near, l), x.src, sum);
  scatter(e, l, c, sum);
  e.add(l, sum, x.dst, {0, l.q}, x.update);
}

}  // namespace

// Bruck's gather backwards, for any q: position v keeps the sums of the pieces [v, v + d), passes on the others, and
// receives [v, v + d) from the position d before.
void sum_by_halving(Expansion& e, const Line& l, const Cutting& c, Slot src, Slot result, Update update) {
  const Who all{0, l.q};
  Slot have = src;
  for (Int d = l.half(); d > 1; d /= 2) {
    const Int width = std::min(d, l.q - d);
    const Slot next = e.got(result, c.span(l.v(), d));
    const Slot sums = width == d ? next : e.view(next, c.span(l.v(), width));
    e.shift(l, have, sums, -d, all);
    if (width < d) e.copy(l, have, e.view(next, c.span(l.v() + Affine(width), d - width)), all);
    e.add(l, have, sums, all, Update::accumulate);
    have = next;
  }
  last(e, l, 1, have, have, result, update);
}

void expand_reduce_scatter(Expansion& e, const Move& x) {
  if (x.how.way == Way::packed) return packed(e, x);
  const std::optional<Parted> p = parted(e.layout(x.src), e.layout(x.dst), x.axis);
  const bool direct = x.how.way == Way::direct || x.how.way == Way::open;
  if (direct || !p || p->line.q == 1) return e.keep();
  switch (x.how.way) {
    case Way::ring: return ring(e, p->line, p->cutting, x);
    case Way::tree: return through_one_rank(e, p->line, p->cutting, x);
    default: sum_by_halving(e, p->line, p->cutting, x.src, x.dst, x.update);
  }
}

}  // namespace cairn
