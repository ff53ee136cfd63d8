// For a grid that is chosen: the order of its axes, its rounds and its look-ahead.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/arithmetic.hpp"
#include "planner/limits.hpp"
#include "planner/search_cosma.hpp"

namespace cairn {

CosmaWay order_cosma(const CosmaSearch& s, const Machine& machine, CosmaWay way) {
  if (machine.level_of(way.ranks()) == 0) return way;
  const CosmaClock clock(s.dims, machine, s.type);
  const CosmaReceived received = cosma_received(s.dims, way);
  CosmaWay best = way;
  constexpr double certainly = 1 - 1e-6;
  for (const char* order : {"nmk", "mkn", "kmn", "nkm", "knm"}) {
    std::copy(order, order + 3, way.order.begin());
    if (clock.seconds(way, received) < certainly * clock.seconds(best, received)) best.order = way.order;
  }
  return best;
}

Int even_rounds(const Dims& d, const CosmaWay& w, Int rounds) {
  const Int longest = most_rounds(d, w);
  const Int sharers = w.loop == 'm'   ? std::lcm(w.pn, w.pk)
                      : w.loop == 'n' ? std::lcm(w.pm, w.pk)
                                      : std::lcm(w.pm, w.pn);
  return ceil_div(longest, ceil_div(ceil_div(longest, rounds), sharers) * sharers);
}

std::vector<CosmaCandidate> overlaps(const CosmaSearch& s, const Machine& machine, const CosmaWay& way) {
  const CosmaClock clock(s.dims, machine, s.type);
  std::vector<CosmaCandidate> tries;
  const auto add = [&](const CosmaWay& w) { tries.push_back(clock.candidate(w)); };
  add(way);
  if (!s.overlaps) return tries;
  const bool by_time = s.prefers == Prefer::time;  // the clock goes on from the best of fewer
  const int dense = by_time ? limits.dense_rounds_clocked : limits.dense_rounds;
  const auto try_rounds = [&](CosmaWay w) {
    const std::optional<Int> first = s.memory_words ? fewest_rounds(s.dims, w, *s.memory_words) : std::optional<Int>(1);
    if (!first) return;
    w.rounds = std::max<Int>(2, *first);
    for (int i = 0; i < limits.all_rounds && w.rounds <= most_rounds(s.dims, w); ++i) {
      CosmaWay tried = w;
      if (by_time && i >= dense) tried.rounds = even_rounds(s.dims, w, w.rounds);
      if (!s.memory_words || cosma_memory(s.dims, tried) <= *s.memory_words) add(tried);
      w.rounds += i < dense ? 1 : std::max<Int>(1, w.rounds / (by_time ? 3 : 4));
    }
  };
  const auto overlap = [&](char loop) {
    CosmaWay w = way;
    w.loop = loop, w.look_ahead = std::max(1, way.look_ahead);
    const Int travels = loop == 'm' ? way.pn * way.pk : loop == 'n' ? way.pm * way.pk : way.pm * way.pn;
    if (travels > 1) try_rounds(w);
  };
  // Without overlap the search knows one dimension that fits: of the others what the clock may like better.
  const auto fewest = [&](char loop) {
    CosmaWay w = way;
    w.loop = loop;
    const std::optional<Int> rounds = fewest_rounds(s.dims, w, *s.memory_words);
    w.rounds = rounds.value_or(0);
    if (rounds && *rounds > 1) add(w);
  };
  const bool all_loops =
      s.prefers != Prefer::balanced && way.pk2 == 1 && (way.rounds == 1 || s.ranks <= limits.searched_ranks);
  for (char loop : {'k', 'm', 'n'}) {
    if (loop == way.loop || all_loops) overlap(loop);
    if (loop != way.loop && all_loops && way.rounds > 1) fewest(loop);
  }
  if (!by_time && s.memory_words && way.rounds > 1) try_rounds(way);
  return tries;
}

// Balanced, the number of rounds that receives fewest among those that are as good as the best: rounds that come out
// even share evenly; then the smallest. Where words decide, the fastest of those that receive fewest.
CosmaWay finish_cosma(const CosmaSearch& s, const Machine& machine, const CosmaWay& way) {
  const std::vector<CosmaCandidate> tries = overlaps(s, machine, order_cosma(s, machine, way));
  if (s.prefers == Prefer::words)
    return std::ranges::min_element(tries, {},
                                    [](const CosmaCandidate& t) {
                                      return std::tuple(t.received, static_cast<float>(t.seconds), t.way.rounds);
                                    })
        ->way;
  double least = tries[0].seconds;
  for (const CosmaCandidate& t : tries) least = std::min(least, t.seconds);
  const double as_good = s.prefers == Prefer::balanced ? limits.as_good : 1 + 1e-9;
  const CosmaCandidate* best = nullptr;
  for (const CosmaCandidate& t : tries)
    if (t.seconds <= as_good * least && (best == nullptr || t.received < best->received)) best = &t;
  return best->way;
}

CosmaFound find_cosma(const CosmaSearch& s, const Machine& machine, std::size_t wanted) {
  CosmaFound found = search_cosma(s, machine, std::max(wanted, limits.finalists));
  const CosmaClock clock(s.dims, machine, s.type);
  const auto finish = [&](CosmaCandidate& c) { c = clock.candidate(finish_cosma(s, machine, c.way)); };
  if (found.best.empty()) return found;
  for (CosmaCandidate& c : found.best) finish(c);
  const bool by_words = s.prefers == Prefer::words;
  const auto key = [by_words](const CosmaCandidate& c) {
    const auto seconds = static_cast<float>(c.seconds);
    return std::tuple(by_words ? c.received : 0, seconds, c.received, c.way.ranks());
  };
  if (s.prefers != Prefer::balanced)
    std::stable_sort(found.best.begin(), found.best.end(),
                     [&](const auto& a, const auto& b) { return key(a) < key(b); });
  if (found.best.size() > wanted) found.best.resize(wanted);
  if (s.prefers == Prefer::balanced)
    finish(found.fastest);
  else
    found.fastest = found.best.front();
  return found;
}

}  // namespace cairn
