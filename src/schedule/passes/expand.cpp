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

Chain::Chain(const Line& l, Int segments) : line_(l), segments_(std::max<Int>(segments, 1)), wrap_(l.q) {
  if (!l.root.terms.empty()) {
    segments_ = pieces_that_wrap(l.q, segments_);
    return;
  }
  line_.root = wrap(l.root.constant, l.q);
  if (l.q % segments_ != 0) wrap_ = l.q - line_.root.constant;
}

// Away from the root, position v receives segment t - v; towards it, segment t - (q - 1 - v).
Affine Chain::number(Int t, bool towards_root, bool wrapped) const {
  const Affine v = line_.v() + Affine(wrapped ? line_.q : 0);
  return towards_root ? v + Affine(t - line_.q + 1) : Affine(t) + -1 * v;
}

std::vector<Chain::Hop> Chain::hops(Int t, bool towards_root) const {
  const Int q = line_.q;
  Range who{std::max<Int>(1, t - segments_ + 1), std::min(q - 1, t) + 1};
  if (towards_root) who = {q - who.hi, q - who.lo};
  const Int lonely = towards_root ? wrap_ - 1 : wrap_;  // receives from across the place where coordinates wrap
  std::vector<Hop> hops;
  const auto hop = [&](Range part, bool dst_wrapped, bool src_wrapped) {
    const Range some = intersect(who, part);
    if (some.empty()) return;
    hops.push_back(
        {{some.lo, some.hi}, number(t, towards_root, dst_wrapped), number(t - 1, towards_root, src_wrapped)});
  };
  hop({0, lonely}, false, false);
  hop({lonely, lonely + 1}, !towards_root, towards_root);
  hop({lonely + 1, q}, true, true);
  return hops;
}

}  // namespace cairn
