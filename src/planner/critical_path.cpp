#include "planner/critical_path.hpp"

#include <algorithm>
#include <map>

namespace cairn {

Simulation::Path critical_path(const std::vector<Activity>& all, const Times& last) {
  std::map<Int, std::map<double, const Activity*>> waits, receives;  // by rank, then end
  std::map<Int, std::vector<const Activity*>> products;              // by rank
  for (const Activity& a : all) {
    if (a.kind == Activity::Kind::multiply) products[a.rank].push_back(&a);
    if (a.kind == Activity::Kind::wait) waits[a.rank][a.end] = &a;
    if (a.kind == Activity::Kind::receive) receives[a.rank][a.end] = &a;
  }
  Simulation::Path path;
  Int rank = last.rank;
  double now = last.seconds;
  path.ranks = {rank};
  const auto computed = [&](double from, double to) {
    double seconds = 0;
    for (const Activity* a : products[rank]) seconds += std::max(0.0, std::min(a->end, to) - std::max(a->start, from));
    path.computation += seconds;
    path.other += to - from - seconds;
  };
  const auto waits_through = [&](Int other, double time) {
    const auto wait = waits[other].upper_bound(time);
    return wait != waits[other].end() && wait->second->start < time;
  };
  while (true) {
    const auto& mine = waits[rank];
    auto wait = mine.upper_bound(now);
    if (wait == mine.begin()) break;
    --wait;
    const double until = wait->first;
    computed(until, now);
    const auto arrived = receives[rank].find(until);
    now = arrived == receives[rank].end() ? wait->second->start : arrived->second->start;
    path.communication += until - now;
    const Int from = arrived == receives[rank].end() ? -1 : arrived->second->from;
    if (from >= 0 && !waits_through(from, now)) path.ranks.push_back(rank = from);
    if (now >= until) break;
  }
  computed(0, now);
  std::reverse(path.ranks.begin(), path.ranks.end());
  return path;
}

}  // namespace cairn
