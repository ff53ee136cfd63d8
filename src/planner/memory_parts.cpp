// Of what the memory of a plan's fullest rank consists.
#include "schedule/memory_parts.hpp"

#include <functional>
#include <vector>

#include "interpret/classes.hpp"
#include "planner/planned_schedule.hpp"
#include "schedule/effect.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

// Rank with the largest peak, which is known. Nearly always it is rank 0, which has the longest pieces.
Int fullest_rank(const Schedule& s, Int known, const std::function<Int(Int rank)>& peak) {
  Int fullest = 0;
  Int most = peak(0);
  const auto consider = [&](Int rank) {
    if (most == known) return;
    if (const Int words = peak(rank); words > most) most = words, fullest = rank;
  };
  for_each_class(s.grid, classes({&s}), [&](Int rank, Int) { consider(rank); });
  if (most != known)  // redistributions, and nodes, tell all ranks apart
    for (Int r = 0; r < s.ranks; ++r) consider(r);
  return fullest;
}

// Where the words of a slot of the arena are counted.
Int MemoryParts::*kind_of(const Effect& writer, SlotInfo::Role role) {
  if (as_redistribution(writer)) return &MemoryParts::copies;
  if (role == SlotInfo::Role::buffer) return &MemoryParts::buffers;
  return role == SlotInfo::Role::partial_sum ? &MemoryParts::partial : &MemoryParts::panels;
}

struct Life {
  std::size_t first, last;
  Int words;
  Int MemoryParts::*kind;
};

// Values in the arena, and the steps' own buffers, with the steps between which they are alive.
std::vector<Life> lives(const Schedule& s, const Uses& uses, Int rank, Transport transport) {
  std::vector<Life> all;
  for (const ArenaValue& v : arena_values(s, uses, rank, transport)) {
    if (v.words == 0) continue;
    all.push_back(
        {v.first, v.last, v.words, v.slot < 0 ? &MemoryParts::buffers : kind_of(uses.does[v.first], s[v.slot].role)});
  }
  return all;
}

// The caller's own parts on that rank.
MemoryParts own_parts(const Schedule& s, Int rank) {
  MemoryParts parts{rank};
  const std::vector<Slot> callers = s.callers();
  Int* const own[] = {&parts.own_a, &parts.own_b, &parts.own_c};
  for (std::size_t x = 0; x < callers.size(); ++x) *own[x] += s.words(callers[x], rank);
  return parts;
}

}  // namespace

MemoryParts memory_parts(const PlannedSchedule& p) {
  const Schedule& s = p.wire;
  const Transport transport = p.transport;
  const Int peak = p.totals().max.peak_words;
  if (shares_memory(p)) {
    MemoryParts parts = own_parts(s, fullest_rank(s, peak, [&](Int rank) { return count_of(p, rank).peak_words; }));
    parts.shared = peak - parts.own();
    return parts;
  }
  const Uses uses(s);
  MemoryParts parts =
      own_parts(s, fullest_rank(s, peak, [&](Int rank) { return peak_words(s, uses, rank, transport); }));
  const std::vector<Life> all = lives(s, uses, parts.rank, transport);
  std::vector<Int> change(s.steps.size() + 1, 0);  // of the words that are held, from each step on
  for (const Life& l : all) change[l.first] += l.words, change[l.last + 1] -= l.words;
  Int fullest = 0, words = 0;
  std::size_t when = 0;
  for (std::size_t t = 0; t < s.steps.size(); ++t) {
    words += change[t];
    if (words > fullest) fullest = words, when = t;
  }
  for (const Life& l : all)
    if (l.first <= when && when <= l.last) parts.*l.kind += l.words;
  const Placement placed = place_buffers(s, uses, parts.rank, transport);
  (transport == Transport::one_sided ? parts.window : parts.buffers) += placed.words - placed.values;
  parts.gaps = placed.values - fullest;
  return parts;
}

}  // namespace cairn
