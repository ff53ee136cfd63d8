// What explain() says of a plan, as numbers.
#include "base/arithmetic.hpp"
#include "interpret/classes.hpp"
#include "model/bounds.hpp"
#include "planner/plan_data.hpp"
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

PlanBounds plan_bounds(const Plan::Data& p) {
  const GemmProblem& g = p.problem;
  PlanBounds b;
  const double ranks = real(g.ranks);
  b.memory_words = real(p.options.memory_words.value_or(p.totals().max.peak_words));
  b.sequential = sequential_bound(g.m, g.n, g.k, b.memory_words);
  b.theorem2 = parallel_bound(g.m, g.n, g.k, g.ranks, b.memory_words);
  b.tight = received_bound(g.m, g.n, g.k, g.ranks);
  const double matrices = real(g.m) * real(g.k) + real(g.k) * real(g.n) + real(g.m) * real(g.n);
  const double own = real(callers_words(p.wire, 0));
  const double received = real(p.totals().max.received);
  b.sequential_ratio = ratio(p.totals().mean_received * ranks + matrices, b.sequential);
  b.theorem2_ratio = ratio(received + own, b.theorem2);
  b.tight_ratio = ratio(received, b.tight);
  return b;
}

PlanBounds plan_bounds(const Plan& plan) { return plan_bounds(plan.data()); }
int look_ahead_of(const Plan& plan) { return plan.data().look_ahead; }
const Totals& totals_of(const Plan& plan) { return plan.data().totals(); }
const Times& times_of(const Plan& plan) { return plan.data().times(); }

double utilisation(const Totals& t, Int ranks) {
  if (t.max.flops == 0) return 1;
  return t.total_flops / (real(t.max.flops) * real(ranks));
}

}  // namespace cairn
