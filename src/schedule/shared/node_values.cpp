#include "schedule/shared/node_values.hpp"

#include <algorithm>
#include <numeric>

#include "schedule/passes/passes.hpp"

namespace cairn {

NodeValues::NodeValues(const Sharing& sharing, int node, std::vector<bool> open)
    : sharing_(sharing), s_(sharing.schedule()), ranks_(sharing.members(node)), open_(std::move(open)) {
  handed_.resize(s_.slots.size() * ranks_.size());
  pieces_.resize(s_.steps.size());
  buffers_.resize(s_.steps.size());
  add_arrays();
  for (std::size_t t = 0; t < s_.steps.size(); ++t)
    if (handing_axis(sharing_.does(t)) >= 0 && sharing.handed(access(sharing_.does(t)).writes)) hand(t);
  place_all();
}

void NodeValues::add_arrays() {
  arrays_.assign(s_.slots.size() * ranks_.size(), 0);
  for (Slot x = 0; x < static_cast<Slot>(s_.slots.size()); ++x) {
    const SlotInfo& slot = s_[x];
    if (slot.view_of >= 0 || sharing_.handed(x)) continue;
    const bool in_heap = !slot.callers();
    if (in_heap && !sharing_.used(x)) continue;
    for (Int rank : ranks_) {
      Place p{Place::Kind::array, x, rank, 0, slot.layout.rows_at(rank), slot.layout.cols_at(rank)};
      p.order = slot.layout.order;
      p.in_heap = in_heap;
      p.open = in_heap || open_[static_cast<std::size_t>(x)];
      if (sharing_.used(x)) p.first = sharing_.first_use(x), p.last = sharing_.last_use(x);
      p.words = p.rows.size() * p.cols.size();
      arrays_[key(x, rank)] = places_.size();
      places_.push_back(std::move(p));
    }
  }
}

std::size_t NodeValues::array(Slot storage, Int rank) const { return arrays_[key(storage, rank)]; }

std::vector<Tile> NodeValues::value(Slot x, Int rank) const {
  const Layout& l = s_.layout(x);
  const Region whole = region(l, rank);
  if (s_[x].view_of >= 0) return part(s_[x].view_of, rank, whole);
  if (sharing_.handed(x)) return handed_[key(x, sharing_.first_of_class(x, rank))];
  if (whole.words() == 0) return {};
  return {{array(x, rank), whole}};
}

std::vector<Tile> NodeValues::part(Slot x, Int rank, const Region& part) const {
  std::vector<Tile> tiles;
  for (const Tile& t : value(x, rank)) {
    Region both = intersect(t.part, part);
    if (both.words() > 0) tiles.push_back({t.place, std::move(both)});
  }
  return tiles;
}

// Every class of ranks that hold the same gets its value once; what of it gets places of its own lies side by side.
void NodeValues::hand(std::size_t step) {
  const Slot dst = access(sharing_.does(step)).writes;
  for (Int rank : ranks_) {
    if (!sharing_.leads_class(dst, rank)) continue;
    std::vector<Tile>& value = handed_[key(dst, rank)];
    const std::size_t before = places_.size();
    for (const Source& from : sharing_.sources(sharing_.does(step), rank)) put(step, rank, from, value);
    if (before < places_.size()) handed_places_.push_back({before, places_.size()});
  }
}

// Where it lies if all of the class can read it there; else in a place of its own.
void NodeValues::put(std::size_t step, Int first, const Source& from, std::vector<Tile>& value) {
  const Effect& what = sharing_.does(step);
  const Access a = access(what);
  const bool near = sharing_.same_node(from.rank, first);
  if (near) {
    std::vector<Tile> there = part(a.reads[0], from.rank, from.part);
    const std::vector<Int>& readers = sharing_.class_of(a.writes, first);
    const bool readable = std::all_of(there.begin(), there.end(), [&](const Tile& t) {
      const Place& p = places_[t.place];
      return p.open || (readers.size() == 1 && readers[0] == p.rank);
    });
    if (readable) {
      value.insert(value.end(), there.begin(), there.end());
      return;
    }
  }
  Place p{
      near ? Place::Kind::copied : Place::Kind::received, a.writes, from.rank, step, from.part.rows, from.part.cols};
  if (!near) p.rank = sharing_.receiver(a.writes, handing_axis(what), first, from.rank);
  p.order = s_.layout(a.writes).order;
  p.first = step;
  p.last = std::max(sharing_.last_use(a.writes), std::min(sharing_.next_use(a.writes, step), s_.steps.size()));
  p.words = from.part.words();
  value.push_back({places_.size(), from.part});
  pieces_[step].push_back(places_.size());
  places_.push_back(std::move(p));
}

Phase NodeValues::ready(const Place& p, std::size_t step) const {
  if (p.kind == Place::Kind::copied) return 2 * (static_cast<Int>(p.step) + 1);
  if (p.kind == Place::Kind::received) return 2 * static_cast<Int>(sharing_.next_use(p.slot, p.step)) + 1;
  return 2 * (sharing_.last_write(p.slot, step) + 1);
}

NodeValues::Buffer NodeValues::buffer(std::size_t step, Int rank) const {
  return buffers_[step].empty() ? Buffer{} : buffers_[step][member(rank)];
}

Int NodeValues::buffer_words_of(std::size_t step, Int rank) const {
  const Effect& what = sharing_.does(step);
  if (as_redistribution(what)) return buffer_words(s_, what, rank);
  if (summing_axis(what) < 0) return 0;
  const std::vector<Hop> hops = sharing_.arriving(step, rank);
  return hops.empty() ? 0 : std::min(pieces_in_flight, static_cast<Int>(hops.size())) * hops.front().part.words();
}

void NodeValues::place_all() {
  std::vector<Life> lives;
  std::vector<Phase*> vacated;
  const auto add = [&](std::size_t first, std::size_t last, Int words, Int* offset, Phase* since) {
    lives.push_back({first, last, words, offset});
    vacated.push_back(since);
  };
  for (Place& p : places_)
    if (p.kind == Place::Kind::array && p.in_heap && p.words > 0) add(p.first, p.last, p.words, &p.offset, &p.vacated);
  for (const auto& [begin, end] : handed_places_) {
    Int words = 0;
    for (std::size_t i = begin; i < end; ++i) words += places_[i].words;
    add(places_[begin].first, places_[begin].last, words, &places_[begin].offset, &places_[begin].vacated);
  }
  for (std::size_t t = 0; t < s_.steps.size(); ++t)
    for (Int rank : ranks_)
      if (const Int words = buffer_words_of(t, rank); words > 0) {
        buffers_[t].resize(ranks_.size());
        Buffer& b = buffers_[t][member(rank)];
        add(t, t, words, &b.offset, &b.vacated);
      }
  heap_words_ = cairn::place(lives);
  find_vacated(lives, vacated);
  for (const auto& [begin, end] : handed_places_)
    for (std::size_t i = begin + 1; i < end; ++i) {
      places_[i].offset = places_[i - 1].offset + places_[i - 1].words;
      places_[i].vacated = places_[begin].vacated;
    }
}

// In the order in which they come, every value finds out until when others used its memory.
void NodeValues::find_vacated(const std::vector<Life>& lives, const std::vector<Phase*>& vacated) {
  struct Used {
    Range place;
    Phase until;
  };
  std::vector<std::size_t> order(lives.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return lives[a].first < lives[b].first; });
  std::vector<Used> memory;  // and not wholly used again since
  for (std::size_t i : order) {
    const Range place{*lives[i].offset, *lives[i].offset + lives[i].words};
    std::erase_if(memory, [&](const Used& before) {
      const Range both = intersect(before.place, place);
      if (!both.empty()) *vacated[i] = std::max(*vacated[i], before.until);
      return both == before.place;
    });
    memory.push_back({place, 2 * (static_cast<Int>(lives[i].last) + 1)});
  }
}

}  // namespace cairn
