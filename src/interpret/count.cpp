#include "interpret/count.hpp"

#include "base/arithmetic.hpp"
#include "interpret/classes.hpp"
#include "interpret/separable.hpp"
#include "interpret/sizes.hpp"
#include "schedule/exchanges.hpp"
#include "schedule/moved.hpp"
#include "schedule/passes/passes.hpp"
#include "schedule/transfers.hpp"

namespace cairn {

namespace {

// Words of a rank's slots: remembered for many ranks, or found for this one.
struct Held {
  const Schedule& s;
  Int rank;
  Sizes* sizes = nullptr;
  std::size_t cell = 0;
  Int operator()(Slot x) const { return sizes ? static_cast<Int>(sizes->at(x, cell)) : s.layout(x).words(rank); }
};

// Words received by each collective's definition, however it is carried out: docs/glossary.md, "received".
struct Received {
  const Schedule& s;
  Int rank;
  const Held& words;
  bool at_root(int axis, const Affine& root) const { return takes_part(s.grid, rank, axis, root, {0, 1}); }
  Int operator()(const Bcast& x) const { return at_root(x.axis, x.root) ? 0 : words(x.dst); }
  Int operator()(const AllGather& x) const { return words(x.dst) - words(x.src); }
  Int operator()(const Reduce& x) const {
    return at_root(x.axis, x.root) ? words(x.dst) * (s.grid.extent(x.axis) - 1) : 0;
  }
  Int operator()(const ReduceScatter& x) const { return words(x.dst) * (s.grid.extent(x.axis) - 1); }
  Int operator()(const Shift& x) const {
    const bool moves = wrap(x.by.at(s.grid, rank), s.grid.extent(x.axis)) != 0;
    return moves && takes_part(s.grid, rank, x.axis, x.origin, x.who) ? words(x.dst) : 0;
  }
  Int operator()(const Redistribute& x) const {
    return words_received(s.layout(x.src), s.layout(x.dst), s.ranks, rank);
  }
  Int operator()(const Add&) const { return 0; }
  Int operator()(const Gemm&) const { return 0; }
};

// Point-to-point messages received, which bring so many words; an empty message is never sent.
struct Messages {
  const Schedule& s;
  Int rank;
  Int words;
  Int operator()(const AllGather& x) const {
    const Int q = s.grid.extent(x.axis), first = first_piece(s.layout(x.src), x.axis);
    const auto held = [&](Int index) { return s.layout(x.src).words(s.grid.with(rank, x.axis, index)) > 0; };
    Int senders = 0;  // pieces never grow with their number: those that hold something come first
    for (Int none = q; senders < none;) {
      const Int middle = (senders + none) / 2;
      held(first + middle) ? senders = middle + 1 : none = middle;
    }
    return senders - (held(s.grid.index(rank, x.axis)) ? 1 : 0);
  }
  // The index along the axis of the rank with the first of the pieces that are gathered.
  static Int first_piece(const Layout& l, int axis) {
    for (const Dim* dim : {&l.cols, &l.rows})
      if (!dim->cuts.empty() && dim->cuts.back().index.factor(axis) == 1) return -dim->cuts.back().index.constant;
    return 0;
  }
  Int operator()(const ReduceScatter& x) const { return words > 0 ? s.grid.extent(x.axis) - 1 : 0; }
  Int operator()(const Redistribute& x) const {
    return messages_received(s.layout(x.src), s.layout(x.dst), s.ranks, rank);
  }
  template <class Other>
  Int operator()(const Other&) const {
    return words > 0 ? 1 : 0;
  }
};

Int flops_of(const Schedule& s, const Step& step, Int rank, const Held& words) {
  const auto* g = std::get_if<Gemm>(&step);
  if (!g) return 0;
  const Layout& a = s.layout(g->A);
  return a.live(rank) ? 2 * words(g->C) * a.cols.size(s.grid, rank) : 0;
}

// Ranks beyond the grid take part in redistributions only.
bool concerns(const Schedule& s, const Step& step, Int rank) {
  return rank < s.grid.size() || std::holds_alternative<Redistribute>(step);
}

constexpr double most_looks = 1e6;  // classes times steps that are looked at one by one

Totals totals_of(const Spreads& s, Int ranks) {
  const auto whole = [](double x) { return static_cast<Int>(x); };
  Totals t;
  t.max.received = whole(s.received.max);
  t.max.wire_words = whole(s.wire_words.max);
  t.max.messages = whole(s.messages.max);
  t.max.flops = whole(s.flops.max);
  t.max.peak_words = whole(s.peak_words.max);
  t.mean_received = s.received.mean;
  t.mean_wire_words = s.wire_words.mean;
  t.mean_messages = s.messages.mean;
  t.total_flops = s.flops.mean * static_cast<double>(ranks);
  return t;
}

}  // namespace

Int callers_words(const Schedule& s, Int rank) {
  Int words = 0;
  for (const SlotInfo& slot : s.slots)
    if (slot.kind != SlotInfo::Kind::scratch && slot.view_of < 0) words += slot.layout.words(rank);
  return words;
}

bool redistributes(const Schedule& s) {
  return std::any_of(s.steps.begin(), s.steps.end(),
                     [](const LabelledStep& l) { return std::holds_alternative<Redistribute>(l.step); });
}

void Totals::add(const Count& c, Int ranks) {
  const double n = real(ranks);
  max.received = std::max(max.received, c.received);
  max.wire_words = std::max(max.wire_words, c.wire_words);
  max.messages = std::max(max.messages, c.messages);
  max.flops = std::max(max.flops, c.flops);
  max.peak_words = std::max(max.peak_words, c.peak_words);
  max.node_words = std::max(max.node_words, c.node_words);
  mean_received += n * real(c.received);
  mean_wire_words += n * real(c.wire_words);
  mean_messages += n * real(c.messages);
  mean_node_words += n * real(c.node_words);
  total_flops += n * real(c.flops);
}

void Totals::divide(Int ranks) {
  for (double* mean : {&mean_received, &mean_wire_words, &mean_messages, &mean_node_words}) *mean /= real(ranks);
}

Int node_words(const Schedule& wire, Int rank, Int ranks_per_node) {
  return node_words(wire, rank, [&](Int peer) { return peer / ranks_per_node != rank / ranks_per_node; });
}

Int node_words(const Schedule& wire, Int rank, const std::function<bool(Int)>& elsewhere) {
  Int words = 0;
  for (const LabelledStep& l : wire.steps) {
    if (!concerns(wire, l.step, rank)) continue;
    for (const Parcel& p : parcels(wire, l.step, rank).receives) words += elsewhere(p.peer) ? p.words() : 0;
    if (const auto* x = std::get_if<Redistribute>(&l.step))
      for (const Transfer& t : incoming(wire.layout(x->src), wire.layout(x->dst), rank, wire.ranks))
        words += elsewhere(t.peer) ? t.words() : 0;
  }
  return words;
}

namespace {

Count counted(const Held& held, const Held& wired, const Uses& uses, Transport transport) {
  const Schedule &collective = held.s, &wire = wired.s;
  const Int rank = held.rank;
  Count n;
  for (const LabelledStep& l : collective.steps) {
    if (!concerns(collective, l.step, rank)) continue;
    n.received += std::visit(Received{collective, rank, held}, l.step);
    n.flops += flops_of(collective, l.step, rank, held);
  }
  for (const LabelledStep& l : wire.steps) {
    if (!concerns(wire, l.step, rank)) continue;
    const Int words = std::visit(Received{wire, rank, wired}, l.step);
    n.wire_words += words;
    n.messages += std::visit(Messages{wire, rank, words}, l.step);
  }
  n.peak_words = callers_words(wire, rank) + place_buffers(wire, uses, rank, transport).words;
  return n;
}

}  // namespace

Count count(const Schedule& collective, const Schedule& wire, Int rank, Transport transport, Int ranks_per_node) {
  Count n = counted({collective, rank}, {wire, rank}, Uses(wire), transport);
  if (ranks_per_node > 0) n.node_words = node_words(wire, rank, ranks_per_node);
  return n;
}

Totals count_all(const Schedule& collective, const Schedule& wire, Transport transport) {
  Totals t;
  const std::vector<AxisClasses> alike = classes({&collective, &wire});
  const double looks = real(combinations(alike)) * static_cast<double>(wire.steps.size());
  if (looks > most_looks && transport == Transport::two_sided)
    if (const std::optional<Spreads> s = count_separably(collective, wire)) return totals_of(*s, wire.ranks);
  const Uses uses(wire);
  if (redistributes(wire) || looks > most_looks) {
    const auto visit = [&](Int rank, Int ranks) {
      t.add(counted({collective, rank}, {wire, rank}, uses, transport), ranks);
    };
    if (redistributes(wire))
      for (Int r = 0; r < wire.ranks; ++r) visit(r, 1);
    else
      for_each_class(wire.grid, alike, visit);
  } else {
    const Cells cells(wire.grid, alike);
    Sizes wired(wire, cells);
    std::optional<Sizes> other;
    const std::vector<SlotInfo>&slots = collective.slots, &more = wire.slots;
    const bool same = slots.size() <= more.size() && std::equal(slots.begin(), slots.end(), more.begin());
    Sizes& held = same ? wired : other.emplace(collective, cells);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const Int rank = cells.rank(c);
      t.add(counted({collective, rank, &held, c}, {wire, rank, &wired, c}, uses, transport), cells.weight(c));
    }
  }
  t.divide(wire.ranks);
  return t;
}

}  // namespace cairn
