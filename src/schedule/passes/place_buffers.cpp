#include "schedule/moved_words.hpp"
#include "schedule/passes/lives.hpp"
#include "schedule/passes/one_sided.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

bool meet(const Life& a, const Life& b) { return a.first <= b.last && b.first <= a.last; }

// First fit, in the given order: the lowest place that no value alive at the same time occupies. `next` is sorted so
// that who has left once does not come back: by first step, or by last step from the end.
struct Fit {
  std::vector<Int> places;
  Int top = 0;
  Int alive = 0;  // most words alive at once, below which no order comes
};
Fit first_fit(const std::vector<const Life*>& next) {
  struct Placed {
    const Life* life;
    Int at;
  };
  Fit fit;
  std::vector<Placed> present;  // by ascending place
  for (const Life* l : next) {
    std::erase_if(present, [&](const Placed& p) { return !meet(*p.life, *l); });
    Int at = 0, alive = l->words;
    for (const Placed& p : present) alive += p.life->words;
    fit.alive = std::max(fit.alive, alive);
    auto gap = present.begin();
    for (; gap != present.end() && gap->at < at + l->words; ++gap) at = std::max(at, gap->at + gap->life->words);
    present.insert(gap, {l, at});
    fit.places.push_back(at);
    fit.top = std::max(fit.top, at + l->words);
  }
  return fit;
}

}  // namespace

// Forwards suits panels that shrink from round to round; backwards, partial sums that outlive the panels and then stand
// beside a reduction's buffers; with the last of these at the bottom, both; and backwards above what lives longest, a
// matrix gathered for all rounds beside partial sums of each. The least memory wins.
Int place(const std::vector<Life>& lives) {
  if (lives.empty()) return 0;
  std::vector<const Life*> forwards, backwards;
  for (const Life& l : lives) forwards.push_back(&l);
  backwards = forwards;
  const auto length = [](const Life* l) { return l->last - l->first; };
  std::stable_sort(forwards.begin(), forwards.end(), [](auto* a, auto* b) { return a->first < b->first; });
  Int least = -1;
  const auto attempt = [&](const std::vector<const Life*>& order) {
    const Fit fit = first_fit(order);
    if (least >= 0 && fit.top >= least) return false;
    least = fit.top;
    for (std::size_t i = 0; i < order.size(); ++i) *order[i]->offset = fit.places[i];
    return least == fit.alive;
  };
  if (attempt(forwards)) return least;
  std::stable_sort(backwards.begin(), backwards.end(),
                   [&](auto* a, auto* b) { return a->last != b->last ? a->last > b->last : length(a) > length(b); });
  const auto shorter = [&](auto* a, auto* b) { return length(a) < length(b); };
  const Life *const outliving = backwards.front(), *const longest =
                                                       *std::max_element(forwards.begin(), forwards.end(), shorter);
  const auto forever = [](Life l) { return l.first = 0, l.last = ~std::size_t{0}, l; };
  const Life last = forever(*outliving), through = forever(*longest);
  std::vector<const Life*> around{&last}, above{&through};
  for (const Life* l : forwards)
    if (l != outliving) around.push_back(l);
  for (const Life* l : backwards)
    if (l != longest) above.push_back(l);
  for (const auto* order : {&backwards, &around, &above}) attempt(*order);
  return least;
}

namespace {

bool brings_triangles(const Schedule& s, const Effect& e) {
  const Move* const m = as_move(e);
  return m && travelling_shape(s, *m) != Uplo::full;
}

}  // namespace

Int buffer_words(const Schedule& s, const Effect& e, Int rank, Transport transport) {
  if (sums(e) && transport != Transport::one_sided) {
    const Move& m = *as_move(e);
    return std::min(pieces_in_flight, s.grid.extent(m.axis) - 1) * s.words(m.dst, rank);
  }
  if (const Redistribute* x = as_redistribution(e)) {
    const Moved m = moved(s, *x, rank);
    return m.received + m.sent;
  }
  if (transport != Transport::one_sided && !brings_triangles(s, e)) return 0;
  return copied_parcels(s, e, rank, transport).words;
}

namespace {

// Sums that are on their way while others are computed.
class SumsOnTheirWay {
 public:
  explicit SumsOnTheirWay(const Schedule& s) : s_(s), sent_(s.slots.size()) {}

  /// Calls keep(slot) for the sums that a step takes up where they arrive, if something was computed in between.
  template <class Keep>
  void step(const Effect& e, Keep keep) {
    const Access a = access(e);
    for (Slot x : a.reads)
      if (x >= 0) {
        for (const Sent& sums : of(x))
          if (sums.computed < computed_) keep(sums.storage);
        of(x).clear();
      }
    computed_ += as_compute(e) != nullptr;
    const Slot storage = message(e) ? s_.storage(a.reads[0]) : -1;
    if (storage >= 0 && s_[storage].role == SlotInfo::Role::partial_sum) of(a.writes).push_back({storage, computed_});
  }

 private:
  struct Sent {
    Slot storage;
    Int computed;  // steps that computed before they were sent
  };
  std::vector<Sent>& of(Slot x) { return sent_[static_cast<std::size_t>(s_.storage(x))]; }

  const Schedule& s_;
  std::vector<std::vector<Sent>> sent_;  // by storage of where they arrive
  Int computed_ = 0;
};

std::vector<std::size_t> steps_that_take_up(const Schedule& s, const std::vector<Effect>& does) {
  std::vector<std::size_t> next(s.slots.size(), Uses::never), all(does.size());  // by storage
  const auto of = [&](Slot x) -> std::size_t& { return next[static_cast<std::size_t>(s.storage(x))]; };
  for (std::size_t t = does.size(); t-- > 0;) {
    const Access a = access(does[t]);
    all[t] = message(does[t]) && of(a.writes) != Uses::never ? of(a.writes) : t;
    for (Slot x : a.reads)
      if (x >= 0) of(x) = t;
  }
  return all;
}

}  // namespace

Uses::Uses(const Schedule& s)
    : does(effects(s)),
      first(s.slots.size(), never),
      last(s.slots.size(), 0),
      taken_up(steps_that_take_up(s, does)),
      slots(s) {
  SumsOnTheirWay on_their_way(s);
  for (std::size_t t = 0; t < does.size(); ++t) {
    if (sums(does[t]) || as_redistribution(does[t])) buffered.push_back(t);
    if (brings_triangles(s, does[t])) triangles.push_back(t);
    on_their_way.step(does[t], [&](Slot sums) { last[static_cast<std::size_t>(sums)] = t; });
    const Access a = access(does[t]);
    for (Slot x : {a.writes, a.reads[0], a.reads[1], a.reads[2]}) {
      if (x < 0) continue;
      const auto root = static_cast<std::size_t>(s.storage(x));
      first[root] = std::min(first[root], t);
      last[root] = t;
    }
  }
}

Placement place_buffers(const Schedule& s, Int rank, Transport transport) {
  return place_buffers(s, Uses(s), rank, transport);
}

std::vector<ArenaValue> arena_values(const Schedule& s, const Uses& uses, Int rank, Transport transport,
                                     const std::function<Int(Slot)>& held) {
  std::vector<ArenaValue> all;
  const auto buffer = [&](std::size_t t, std::size_t last) {
    const Effect& e = uses.does[t];
    if (const Int words = concerns(s, e, rank) ? buffer_words(s, e, rank, transport) : 0; words > 0)
      all.push_back({t, last, words, -1});
  };
  if (transport == Transport::one_sided) {  // what travels is copied, and arrives some time before it is needed
    for (std::size_t t = 0; t < uses.does.size(); ++t) buffer(t, uses.taken_up[t]);
  } else {
    for (std::size_t t : uses.buffered) buffer(t, t);
  }
  std::vector<std::size_t> mine;
  uses.slots.for_each(rank, [&](std::size_t x) {
    if (uses.first[x] != Uses::never) mine.push_back(x);
  });
  std::sort(mine.begin(), mine.end());
  for (std::size_t i : mine) {
    const auto x = static_cast<Slot>(i);
    all.push_back({uses.first[i], uses.last[i], held ? held(x) : s.words(x, rank), x});
  }
  return all;
}

namespace {

// Triangles that messages bring are packed in places of their own: a panel in the place of one would wait for it to
// have left.
void place_triangles(const Schedule& s, const Uses& uses, Int rank, Placement& p) {
  std::vector<Life> lives;
  for (std::size_t t : uses.triangles)
    if (const Int words = concerns(s, uses.does[t], rank) ? buffer_words(s, uses.does[t], rank) : 0; words > 0)
      lives.push_back({t, uses.taken_up[t], words, &p.scratch[t]});
  p.words += place(lives);
  for (const Life& l : lives) *l.offset += p.values;
}

}  // namespace

Placement place_buffers(const Schedule& s, const Uses& uses, Int rank, Transport transport,
                        const std::function<Int(Slot)>& held) {
  Placement p;
  p.offset.assign(s.slots.size(), -1);
  p.scratch.assign(s.steps.size(), -1);
  std::vector<Life> lives;
  for (const ArenaValue& v : arena_values(s, uses, rank, transport, held))
    lives.push_back(
        {v.first, v.last, v.words, v.slot < 0 ? &p.scratch[v.first] : &p.offset[static_cast<std::size_t>(v.slot)]});
  p.words = p.values = place(lives);
  if (transport == Transport::one_sided)
    place_window(s, uses.does, rank, p);
  else
    place_triangles(s, uses, rank, p);
  return p;
}

}  // namespace cairn
