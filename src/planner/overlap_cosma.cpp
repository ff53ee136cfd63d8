// For a grid that is chosen: the order of its axes, its rounds and its look-ahead.
#include <algorithm>
#include <tuple>

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

// Balanced, the number of rounds that receives fewest among those that are as good as the best: rounds that come out
// even share evenly; then the smallest. Where words decide, the fastest of those that receive fewest.
CosmaWay overlap_cosma(const CosmaSearch& s, const Machine& machine, const CosmaWay& way) {
  const CosmaClock clock(s.dims, machine, s.type);
  struct Try {
    CosmaWay way;
    Int received;
    double seconds;
  };
  std::vector<Try> tries;
  const auto add = [&](const CosmaWay& w) {
    const CosmaReceived received = cosma_received(s.dims, w);
    tries.push_back({w, received.most(), clock.seconds(w, received)});
  };
  add(way);
  if (way.pm * way.pn == 1) return way;  // nothing is gathered
  const auto try_rounds = [&](CosmaWay w) {
    const std::optional<Int> first = s.memory_words ? fewest_rounds(s.dims, w, *s.memory_words) : std::optional<Int>(1);
    if (!first) return;
    w.rounds = std::max<Int>(2, *first);
    for (int i = 0; i < limits.all_rounds && w.rounds <= most_rounds(s.dims, w); ++i) {
      if (!s.memory_words || cosma_memory(s.dims, w).words() <= *s.memory_words) add(w);
      w.rounds += i < limits.dense_rounds ? 1 : std::max<Int>(1, w.rounds / 4);
    }
  };
  CosmaWay w = way;
  w.look_ahead = std::max(1, way.look_ahead);
  try_rounds(w);
  if (s.prefers != Prefer::time && s.memory_words && way.rounds > 1) try_rounds(way);
  if (s.prefers == Prefer::words) {
    const auto key = [](const Try& t) { return std::tuple(t.received, static_cast<float>(t.seconds), t.way.rounds); };
    return std::min_element(tries.begin(), tries.end(), [&](const Try& a, const Try& b) { return key(a) < key(b); })
        ->way;
  }
  double least = tries[0].seconds;
  for (const Try& t : tries) least = std::min(least, t.seconds);
  const double as_good = s.prefers == Prefer::balanced ? limits.as_good : 1 + 1e-9;
  const Try* best = nullptr;
  for (const Try& t : tries)
    if (t.seconds <= as_good * least && (best == nullptr || t.received < best->received)) best = &t;
  return best->way;
}

CosmaWay finish_cosma(const CosmaSearch& s, const Machine& machine, const CosmaWay& way) {
  const CosmaWay ordered = order_cosma(s, machine, way);
  CosmaWay finished = s.overlaps ? overlap_cosma(s, machine, ordered) : ordered;
  finished.refined = true;
  return finished;
}

CosmaFound find_cosma(const CosmaSearch& s, const Machine& machine, std::size_t wanted) {
  CosmaFound found = search_cosma(s, machine, std::max(wanted, limits.finalists));
  const CosmaClock clock(s.dims, machine, s.type);
  const auto finish = [&](CosmaCandidate& c) {
    c.way = finish_cosma(s, machine, c.way);
    const CosmaReceived received = cosma_received(s.dims, c.way);
    c = {c.way, received.most(), clock.seconds(c.way, received)};
  };
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
