// Schedules of all algorithms, as they are sent: on random grids, of random sizes, with random collectives.
#pragma once
#include <random>

#include "cases.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn::testing {

using Random = std::mt19937_64;

inline Int below(Random& random, Int n) { return static_cast<Int>(random() % static_cast<std::uint64_t>(n)); }

/// `open`: collectives are left to expand_collectives.
inline Schedule random_wire(Random& random, bool open = false) {
  const Int ranks = rank_counts[static_cast<std::size_t>(below(random, static_cast<Int>(rank_counts.size())))];
  const std::vector<Spelling> all = spellings(ranks);
  GemmProblem p;
  p.ranks = ranks;
  p.m = below(random, 80), p.n = below(random, 80), p.k = 1 + below(random, 80);
  const auto look = static_cast<int>(below(random, 3));
  Schedule s = look_ahead(
      make_algorithm(p, all[static_cast<std::size_t>(below(random, static_cast<Int>(all.size())))].text).schedule,
      look);
  const auto choose = [&](How& how, Collective of) {
    if (open) return;
    const auto ways = ways_of(of);
    how.way = ways[static_cast<std::size_t>(below(random, static_cast<Int>(ways.size())))];
    how.segments = how.way == Way::chain ? static_cast<int>(1 + below(random, 5)) : 0;
  };
  for (LabelledStep& l : s.steps) {
    if (auto* b = std::get_if<Bcast>(&l.step)) choose(b->how, Collective::bcast);
    if (auto* r = std::get_if<Reduce>(&l.step)) choose(r->how, Collective::reduce);
    if (auto* g = std::get_if<AllGather>(&l.step)) choose(g->how, Collective::allgather);
    if (auto* r = std::get_if<ReduceScatter>(&l.step)) choose(r->how, Collective::reduce_scatter);
  }
  return expand_collectives(s);
}

/// COSMA without look-ahead, its collectives direct.
inline Schedule random_exchanges(Random& random) {
  const Int ranks = rank_counts[static_cast<std::size_t>(below(random, static_cast<Int>(rank_counts.size())))];
  std::vector<Spelling> all;
  cosma_spellings(ranks, all);
  GemmProblem p;
  p.ranks = ranks;
  p.m = below(random, 80), p.n = below(random, 80), p.k = 1 + below(random, 80);
  return expand_collectives(
      make_algorithm(p, all[static_cast<std::size_t>(below(random, static_cast<Int>(all.size())))].text).schedule);
}

}  // namespace cairn::testing
