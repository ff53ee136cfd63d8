#include "schedule/panel_memory.hpp"

#include "base/arithmetic.hpp"

namespace cairn {

PanelMemories::PanelMemories(const PanelValues& values, const SizedPanels& sizes)
    : v_(values),
      s_(values.wire),
      sizes_(sizes),
      begin_(values.wire.steps.size()),
      end_(begin_.size()),
      passed_round_(s_.slots.size()),
      parts_(begin_.size()) {
  for (std::size_t x = 0; x < s_.slots.size(); ++x) {
    if (s_.slots[x].view_of >= 0 || s_.slots[x].callers() || v_.uses.first[x] == Uses::never) continue;
    begin_[v_.uses.first[x]].push_back(static_cast<Slot>(x));
    end_[v_.uses.last[x]].push_back(static_cast<Slot>(x));
  }
  for (const Effect& e : v_.uses.does) {
    const Access a = access(e);
    if (as_compute(e) || s_[s_.storage(a.reads[0])].callers()) continue;
    if (const Slot to = s_.storage(a.writes); s_.storage(a.reads[0]) != to) passed_round_[place(to)] = true;
  }
}

MemoryParts PanelMemories::fullest() {
  MemoryParts most = of(0);
  for (Int r = 1; r < s_.ranks; ++r)
    if (const MemoryParts m = of(r); m.peak() > most.peak()) most = m;
  return most;
}

MemoryParts PanelMemories::of(Int rank) {
  const auto own = [&](PanelValues::Matrix x) {
    return sizes_.words(v_.callers[x], region(s_.layout(v_.callers[x]), rank));
  };
  MemoryParts now{rank};
  now.own_a = own(PanelValues::A), now.own_b = own(PanelValues::B), now.own_c = own(PanelValues::C);
  if (s_.grid.size() > 1) now.copies = now.own_a + now.own_b;  // in the order in which they are sent
  MemoryParts most = now;
  const std::array<Region, 2> here{region(s_.layout(v_.callers[PanelValues::A]), rank),
                                   region(s_.layout(v_.callers[PanelValues::B]), rank)};
  std::vector<Int> words(s_.slots.size());
  const auto of_kind = [&](Slot x) -> Int& { return v_.matrix(x) == PanelValues::C ? now.partial : now.panels; };
  for (std::size_t t = 0; t < begin_.size(); ++t) {
    for (Slot x : begin_[t]) of_kind(x) += words[place(x)] = held(x, rank, here);
    const Messages m = of_sums(t, rank);
    now.buffers += m.sent + m.arriving;
    if (now.peak() > most.peak()) most = now;
    now.buffers -= m.arriving;  // what is sent may stay until the end
    for (Slot x : end_[t]) of_kind(x) -= words[place(x)];
  }
  return most;
}

// Panels of A and B that lie here already are shared, unless others pass them on: then they come back as copies.
Int PanelMemories::held(Slot x, Int rank, const std::array<Region, 2>& here) const {
  const Region r = region(s_.layout(x), rank);
  const Int all = sizes_.words(x, r);
  const PanelValues::Matrix of = v_.matrix(x);
  if (all == 0 || of == PanelValues::C || passed_round_[place(s_.storage(x))]) return all;
  return all - sizes_.words(x, intersect(r, here[of]));
}

// A sum is sent as a copy of it; those that arrive are added one by one.
PanelMemories::Messages PanelMemories::of_sums(std::size_t t, Int rank) {
  Messages m;
  const Effect& e = v_.uses.does[t];
  if (as_compute(e) || !concerns(s_, e, rank)) return m;
  const Access a = access(e);
  if (v_.matrix(a.writes) != PanelValues::C) return m;
  const Slot src = a.reads[0];
  if (const Move* const x = as_move(e)) {
    for_each_reader(s_.grid, *x, rank, [&](Int to) {
      if (to != rank) m.sent += part_of(t, *x, x->from == Move::From::pieces ? rank : to).words;
    });
    for_each_source(s_.grid, *x, rank, [&](Int from) {
      if (from != rank)
        m.arriving = std::max(m.arriving, part_of(t, *x, x->from == Move::From::pieces ? from : rank).largest);
    });
  } else {
    m.sent = part(src, region(s_.layout(src), rank)).words;
    m.arriving = part(src, region(s_.layout(a.writes), rank)).largest;
  }
  return m;
}

PanelMemories::Part PanelMemories::part(Slot src, const Region& r) const {
  Part found{0, 0};
  for_each_panel(r, [&](Int i, Int j) {
    const Int words = sizes_.of(src).at(i, j).words;
    found.words += words, found.largest = std::max(found.largest, words);
  });
  return found;
}

// What travels depends on one end alone: on where pieces come from, and else on where elements go.
const PanelMemories::Part& PanelMemories::part_of(std::size_t t, const Move& m, Int rank) {
  parts_[t].resize(place(s_.grid.size()));
  Part& known = parts_[t][place(rank)];
  if (known.words < 0) known = part(m.src, travelling(s_, m, rank, rank));
  return known;
}

}  // namespace cairn
