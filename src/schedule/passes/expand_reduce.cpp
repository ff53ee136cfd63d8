// Reductions in Shift and Add: the broadcasts backwards.  [cosma-sc19 §7.2]  Costs: docs/collectives.md.
#include <ranges>

#include "schedule/passes/expand.hpp"

namespace cairn {

void sum_along(Expansion& e, const Line& l, const std::vector<Round>& rounds, Slot src, Slot sum) {
  e.copy(l, src, sum, {0, l.q});
  for (const Round& r : rounds | std::views::reverse) {
    const Slot got = e.got(src, e.layout(src));
    const Who who{r.who.lo - r.d, r.who.hi - r.d, r.who.every, r.who.run};
    e.shift(l, sum, got, r.d, who);
    e.add(l, got, sum, who, Update::accumulate);
  }
}

namespace {

void flat(Expansion& e, const Line& l, const Move& x) {
  e.add(l, x.src, x.dst, {0, 1}, x.update);
  for (Int d = 1; d < l.q; ++d) {
    const Slot got = e.got(x.dst, e.layout(x.src));
    e.shift(l, x.src, got, d, {0, 1});
    e.add(l, got, x.dst, {0, 1}, Update::accumulate);
  }
}

// The sum of a segment travels from the far end to the root; everyone adds its own on the way.
void chain(Expansion& e, const Line& l, const Move& x, Slot sum) {
  Chain chain(e, l, sum, x.how.segments > 0 ? x.how.segments : l.q, Chain::Direction::to_root);
  e.copy(l, x.src, sum, {l.q - 1, l.q});
  for (Int t = 1; t <= chain.times(); ++t)
    for (const Chain::Hop& h : chain.hops(t)) {
      e.shift(l, h.src, h.dst, 1, h.who);
      e.add(l, x.src, h.dst, h.who, Update::accumulate);
    }
}

void scatter_gather(Expansion& e, const Line& l, const Move& x, Slot sum) {
  const Cutting c = cutting(e.layout(x.src), l.q);
  sum_by_halving(e, l, c, x.src, e.view(sum, c.one(l.v())), Update::overwrite);
  for (Int d = 1; d < l.q; d *= 2) {  // the scatter backwards
    const Slot mine = e.view(sum, c.group(l.v(), d)), theirs = e.view(sum, c.group(l.v() + Affine(d), d));
    e.shift(l, mine, theirs, d, {0, l.q - d, 2 * d, 1});
  }
}

}  // namespace

void expand_reduce(Expansion& e, const Move& x) {
  const Line l = e.line(x.axis, x.origin);
  if (l.q == 1) return e.add(l, x.src, x.dst, {0, 1}, x.update);
  const bool tree = x.how.way != Way::chain && x.how.way != Way::scatter_gather;
  if (x.how.way == Way::flat || (tree && l.q == 2)) return flat(e, l, x);
  const Slot sum = e.sum(x.dst, e.layout(x.src));
  switch (x.how.way) {
    case Way::chain: chain(e, l, x, sum); break;
    case Way::scatter_gather: scatter_gather(e, l, x, sum); break;
    default: sum_along(e, l, cairn::tree(x.how.way, l), x.src, sum);
  }
  e.add(l, sum, x.dst, {0, 1}, x.update);
}

}  // namespace cairn
