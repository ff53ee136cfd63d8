#include "interpret/count.hpp"

#include "base/arithmetic.hpp"
#include "interpret/classes.hpp"
#include "interpret/separable.hpp"
#include "interpret/sizes.hpp"
#include "schedule/exchanges.hpp"
#include "schedule/kernels.hpp"
#include "schedule/moved_words.hpp"
#include "schedule/step_transfers.hpp"

namespace cairn {

namespace {

// Words of a rank's slots: remembered for many ranks, or found for this one.
struct Held {
  const Schedule& s;
  Int rank;
  Sizes* sizes = nullptr;
  std::size_t cell = 0;
  Int operator()(Slot x) const { return sizes ? static_cast<Int>(sizes->at(x, cell)) : s.words(x, rank); }
};

// Words received by each collective's definition, however it is carried out: docs/glossary.md, "received".
struct Received {
  const Schedule& s;
  Int rank;
  const Held words;
  Int operator()(const Move& m) const {
    if (!m.takes_part(s.grid, rank)) return 0;
    switch (m.from) {
      case Move::From::pieces: return words(m.dst) - words(m.src);
      case Move::From::terms: return words(m.dst) * (s.grid.extent(m.axis) - 1);
      case Move::From::one:
      case Move::From::root: break;
    }
    return m.source(s.grid, rank) == rank ? 0 : travelling_words(s, m, words(m.dst));
  }
  Int operator()(const Redistribute& x) const { return moved(s, x, rank).received; }
  Int operator()(const Compute&) const { return 0; }
};

// Point-to-point messages received, which bring so many words; an empty message is never sent.
struct Messages {
  const Schedule& s;
  Int rank;
  Int words;
  Int operator()(const Move& m) const {
    if (m.from == Move::From::pieces) return full_pieces(m.src, m.axis);
    if (words == 0) return 0;
    return m.from == Move::From::terms ? s.grid.extent(m.axis) - 1 : 1;
  }
  Int operator()(const Redistribute& x) const { return moved(s, x, rank).receives; }
  Int operator()(const Compute&) const { return 0; }

 private:
  // Pieces of dense values never grow with their number: those that hold something come first.
  Int full_pieces(Slot src, int axis) const {
    const Int q = s.grid.extent(axis), first = first_piece(s.layout(src), axis);
    const auto held = [&](Int index) { return s.words(src, s.grid.with(rank, axis, index)) > 0; };
    Int senders = 0;
    for (Int i = 0; s[src].sizes && i < q; ++i) senders += i != s.grid.index(rank, axis) && held(i);
    if (s[src].sizes) return senders;
    for (Int none = q; senders < none;) {
      const Int middle = (senders + none) / 2;
      held(first + middle) ? senders = middle + 1 : none = middle;
    }
    return senders - (held(s.grid.index(rank, axis)) ? 1 : 0);
  }
  // The index along the axis of the rank with the first of the pieces that are gathered.
  static Int first_piece(const Layout& l, int axis) {
    for (const Dim* dim : {&l.cols, &l.rows})
      if (!dim->cuts.empty() && dim->cuts.back().index.factor(axis) == 1) return -dim->cuts.back().index.constant;
    return 0;
  }
};

Int flops_of(const Schedule& s, const Effect& e, const Held& held) {
  const Compute* const x = as_compute(e);
  if (!x) return 0;
  return flops(x->kernel, x->side, held.sizes ? held.sizes->work(*x, held.cell) : sizes_at(s, *x, held.rank));
}

constexpr double most_looks = 1e6;  // classes times steps that are looked at one by one

}  // namespace

Int callers_words(const Schedule& s, Int rank) {
  Int words = 0;
  for (Slot x : s.callers()) words += s.words(x, rank);
  return words;
}

Int peak_words(const Schedule& wire, const Uses& uses, Int rank, Transport transport) {
  return callers_words(wire, rank) + place_buffers(wire, uses, rank, transport).words;
}

const std::array<Totals::Figure, 6> Totals::figures{{{&Count::received, &Totals::mean_received},
                                                     {&Count::wire_words, &Totals::mean_wire_words},
                                                     {&Count::messages, &Totals::mean_messages},
                                                     {&Count::peak_words, &Totals::mean_peak_words},
                                                     {&Count::node_words, &Totals::mean_node_words},
                                                     {&Count::flops, &Totals::total_flops}}};

void Totals::add(const Count& c, Int ranks, Int own) {
  if (counted == 0) min = c;
  for (const auto [of_rank, sum] : figures) {
    min.*of_rank = std::min(min.*of_rank, c.*of_rank);
    max.*of_rank = std::max(max.*of_rank, c.*of_rank);
    this->*sum += real(ranks) * real(c.*of_rank);
  }
  most_touched = std::max(most_touched, c.received + own);
  counted += ranks;
}

void Totals::divide(Int ranks) {
  if (counted < ranks) min = {};
  for (const auto [of_rank, sum] : figures)
    if (sum != &Totals::total_flops) this->*sum /= real(ranks);
}

Int node_words(const Schedule& wire, Int rank, Int ranks_per_node) {
  return node_words(wire, rank, [&](Int peer) { return peer / ranks_per_node != rank / ranks_per_node; });
}

Int node_words(const Schedule& wire, Int rank, const std::function<bool(Int)>& elsewhere) {
  Int words = 0;
  for (const Effect& e : effects(wire)) {
    if (!concerns(wire, e, rank)) continue;
    for (const Parcel& p : parcels(wire, e, rank).receives) words += elsewhere(p.peer) ? p.words : 0;
    if (const Redistribute* x = as_redistribution(e))
      for (const Transfer& t : incoming(wire, *x, rank)) words += elsewhere(t.peer) ? words_of(wire, *x, t) : 0;
  }
  return words;
}

namespace {

void ask(Count& n, const Schedule& s, const Effect& e, const Held& held) {
  if (!concerns(s, e, held.rank)) return;
  n.received += std::visit(Received{s, held.rank, held}, e);
  n.flops = saturated_sum(n.flops, flops_of(s, e, held));
}

// Calls visit(cell) for the cells that a step may concern.
template <class Visit>
void for_each_cell(const Cells& cells, const Schedule& s, const Effect& e, Visit visit) {
  const ByPlace::Place place = ByPlace::place_of(s, e);
  for (std::size_t c = 0; c < cells.size(); ++c)
    if (!place || cells.coordinate(place->axis, cells.index(c, place->axis)) == place->index) visit(c);
}

// What does not depend on the rank.
struct Counted {
  const Schedule &collective, &wire;
  Transport transport;
  std::vector<Effect> asked = effects(collective);
  Uses uses{wire};
  std::vector<Slot> callers = wire.callers();

  void send(Count& n, const Effect& e, const Held& wired) const {
    if (!concerns(wire, e, wired.rank)) return;
    const Int words = std::visit(Received{wire, wired.rank, wired}, e);
    n.wire_words += words;
    n.messages += std::visit(Messages{wire, wired.rank, words}, e);
  }
  // The same of all cells, where each is one rank.
  static void send(std::vector<Count>& all, const Move& m, Sizes& wired) {
    wired.for_each_arriving(m, [&](std::size_t to, std::size_t /*from*/, double words) {
      all[to].wire_words += static_cast<Int>(words);
      all[to].messages += words > 0 ? 1 : 0;
    });
  }
  Int own(const Held& wired) const {
    Int words = 0;
    for (Slot x : callers) words += wired(x);
    return words;
  }
  void hold(Count& n, const Held& wired) const {
    n.peak_words += own(wired) + place_buffers(wire, uses, wired.rank, transport, wired).words;
  }
  Count operator()(Int rank) const {
    const Held held{collective, rank}, wired{wire, rank};
    Count n;
    for (const Effect& e : asked) ask(n, collective, e, held);
    for (const Effect& e : uses.does) send(n, e, wired);
    hold(n, wired);
    return n;
  }
  // Of all cells, step by step: what is remembered of a step's sizes is then near.
  std::vector<Count> operator()(const Cells& cells, Sizes& held, Sizes& wired) const {
    std::vector<Count> all(cells.size());
    for (const Effect& e : asked)
      for_each_cell(cells, collective, e, [&](std::size_t c) {
        ask(all[c], collective, e, {collective, cells.rank(c), &held, c});
      });
    for (const Effect& e : uses.does) {
      if (const Move* const m = message(e); m && cells.exact())
        send(all, *m, wired);
      else
        for_each_cell(cells, wire, e, [&](std::size_t c) { send(all[c], e, {wire, cells.rank(c), &wired, c}); });
    }
    for (std::size_t c = 0; c < cells.size(); ++c) hold(all[c], {wire, cells.rank(c), &wired, c});
    return all;
  }
};

}  // namespace

Count count_asked(const Schedule& s, const std::vector<Effect>& does, Int rank) {
  Count n;
  for (const Effect& e : does) ask(n, s, e, {s, rank});
  return n;
}

Count count(const Schedule& collective, const Schedule& wire, Int rank, Transport transport, Int ranks_per_node) {
  Count n = Counted{collective, wire, transport}(rank);
  if (ranks_per_node > 0) n.node_words = node_words(wire, rank, ranks_per_node);
  return n;
}

Totals count_all(const Schedule& collective, const Schedule& wire, Transport transport) {
  Totals t;
  const std::vector<AxisClasses> alike = classes({&collective, &wire});
  const double looks = real(combinations(alike)) * static_cast<double>(wire.steps.size());
  if (looks > most_looks && transport == Transport::two_sided)
    if (const std::optional<Totals> all = count_separably(collective, wire)) return *all;
  const Counted counted{collective, wire, transport};
  const bool shuffles = redistributes(wire);  // which tells all ranks apart, and concerns those beyond the grid
  const Cells cells(wire.grid, shuffles ? each_coordinate(wire.grid) : alike);
  Sizes wired(wire, cells);
  std::optional<Sizes> other;
  const std::vector<SlotInfo>&slots = collective.slots, &more = wire.slots;
  const bool same = slots.size() <= more.size() && std::equal(slots.begin(), slots.end(), more.begin());
  Sizes& held = same ? wired : other.emplace(collective, cells);
  const std::vector<Count> all = counted(cells, held, wired);
  for (std::size_t c = 0; c < cells.size(); ++c)
    t.add(all[c], cells.weight(c), counted.own({wire, cells.rank(c), &wired, c}));
  for (Int r = wire.grid.size(); shuffles && r < wire.ranks; ++r) t.add(counted(r), 1, callers_words(wire, r));
  t.divide(wire.ranks);
  return t;
}

}  // namespace cairn
