#include "schedule/passes/expand.hpp"

#include <algorithm>

namespace cairn {

Int Line::half() const {
  Int d = 1;
  while (2 * d < q) d *= 2;
  return d;
}

// For elements of the same matrix.
Slot Expansion::scratch(Slot of, std::string_view mark, Layout layout, SlotInfo::Role role) {
  SlotInfo memory{to_[of].name, std::move(layout), role};
  memory.name += mark;
  memory.sizes = to_[of].sizes;
  to_.slots.push_back(std::move(memory));
  return static_cast<Slot>(to_.slots.size()) - 1;
}

Layout Expansion::moved(Layout layout, int axis, Int by) {
  for (Dim* dim : {&layout.rows, &layout.cols})
    for (Cut& cut : dim->cuts) cut.index = cut.index.moved(axis, by);
  return layout;
}

Layout Cutting::keep(Cut cut) const {
  Layout l = whole;
  cut.joined = joined;
  (cols ? l.cols : l.rows).cuts.push_back(std::move(cut));
  return l;
}

Cutting cutting(const Layout& whole, Int parts) {
  const Int m = whole.rows.size(whole.grid, 0), n = whole.cols.size(whole.grid, 0);
  const bool col = whole.order == Order::col;
  const bool outer = (col ? n : m) >= std::min(parts, std::max(m, n));  // enough pieces, or at least as many
  const std::vector<Cut>& cuts = (col == outer ? whole.cols : whole.rows).cuts;
  const bool joined = std::any_of(cuts.begin(), cuts.end(), [](const Cut& c) { return c.kind != Cut::Kind::even; });
  return {whole, col == outer, parts, joined};
}

std::optional<Parted> parted(const Layout& whole, const Layout& part, int axis) {
  const Int q = whole.grid.extent(axis);
  if (whole.blocks || part.blocks || whole.where != part.where) return std::nullopt;
  for (bool cols : {true, false}) {
    const Dim &dim = cols ? part.cols : part.rows, &other = cols ? part.rows : part.cols;
    if (dim.cuts.empty()) continue;
    const Cut& last = dim.cuts.back();
    Dim all = dim;
    all.cuts.pop_back();
    const bool by_axis = last.kind == Cut::Kind::even && last.parts == q && last.index.factor(axis) == 1;
    if (!by_axis || all != (cols ? whole.cols : whole.rows) || other != (cols ? whole.rows : whole.cols)) continue;
    return Parted{{axis, q, Affine::along(axis) + -1 * last.index}, {whole, cols, q, last.joined}};
  }
  return std::nullopt;
}

std::vector<Round> tree(Way way, const Line& l) {
  std::vector<Round> rounds;
  const auto round = [&](Int d, Int lo, Int hi) {
    if (lo < l.q) rounds.push_back({d, {lo, std::min(hi, l.q)}});
  };
  switch (way) {
    case Way::flat:
      for (Int d = 1; d < l.q; ++d) round(d, d, d + 1);
      break;
    case Way::binary:  // level [a, a + w) has the children a + w + x and a + 2w + x
      for (Int a = 0, w = 1; a + w < l.q; a += w, w *= 2) {
        round(w, a + w, a + 2 * w);
        round(2 * w, a + 2 * w, a + 3 * w);
      }
      break;
    case Way::near:
      for (Int d = l.half(); d >= 1; d /= 2) rounds.push_back({d, {d, l.q, 2 * d, 1}});
      break;
    default:
      for (Int d = 1; d < l.q; d *= 2) round(d, d, 2 * d);
  }
  return rounds;
}

Int pieces_that_wrap(Int q, Int segments) {
  Int pieces = std::min(segments, q);
  while (q % pieces != 0) --pieces;
  return pieces;
}

namespace {

// The root as a coordinate of the axis, where it is the same on all lines.
Line with_known_root(Line l) {
  if (l.root.terms.empty()) l.root = wrap(l.root.constant, l.q);
  return l;
}

Int segments_of(const Line& l, Int wanted) {
  const Int segments = std::max<Int>(wanted, 1);
  return l.root.terms.empty() ? segments : pieces_that_wrap(l.q, segments);
}

}  // namespace

// Away from the root, position v receives segment t - v; towards it, segment t - (q - 1 - v).
Chain::Chain(Expansion& e, const Line& l, Slot x, Int segments, Direction direction)
    : e_(e),
      line_(with_known_root(l)),
      x_(x),
      to_root_(direction == Direction::to_root),
      wrap_(l.q),
      cutting_(cutting(e.layout(x), segments_of(l, segments))),
      number_((to_root_ ? 1 : -1) * line_.v()) {
  if (line_.root.terms.empty() && l.q % cutting_.parts != 0) wrap_ = l.q - line_.root.constant;
}

Slot Chain::segment(Int t, bool wrapped) {
  const Int across = wrapped ? line_.q : 0;
  const Int constant = to_root_ ? t - line_.q + 1 + across : t - across;
  const auto [at, fresh] = known_.try_emplace(constant);
  if (fresh) at->second = e_.view(x_, cutting_.one(number_ + Affine(constant)));
  return at->second;
}

std::vector<Chain::Hop> Chain::hops(Int t) {
  const Int q = line_.q;
  Range who{std::max<Int>(1, t - cutting_.parts + 1), std::min(q - 1, t) + 1};
  if (to_root_) who = {q - who.hi, q - who.lo};
  const Int lonely = to_root_ ? wrap_ - 1 : wrap_;  // receives from across the place where coordinates wrap
  std::vector<Hop> hops;
  const auto hop = [&](Range part, bool dst_wrapped, bool src_wrapped) {
    const Range some = intersect(who, part);
    if (!some.empty()) hops.push_back({{some.lo, some.hi}, segment(t, dst_wrapped), segment(t - 1, src_wrapped)});
  };
  hop({0, lonely}, false, false);
  hop({lonely, lonely + 1}, !to_root_, to_root_);
  hop({lonely + 1, q}, true, true);
  return hops;
}

}  // namespace cairn
