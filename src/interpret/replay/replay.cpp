#include "interpret/replay/replay.hpp"

#include <fmt/format.h>

#include <deque>

#include "cairn/error.hpp"
#include "interpret/replay/rank.hpp"
#include "interpret/totals.hpp"

namespace cairn {

Timing replay(const Schedule& wire, const Machine& machine, ScalarType type, const Watch& watch) {
  return replay(wire, compile_all(wire), machine, type, watch);
}

Timing replay(const Schedule& s, const std::vector<Program>& programs, const Machine& machine, ScalarType type,
              const Watch& watch) {
  World world(s, machine, type, watch);
  std::deque<SimulatedRank> ranks;
  for (std::size_t r = 0; r < programs.size(); ++r)
    world.ranks.push_back(&ranks.emplace_back(world, programs[r], static_cast<Int>(r)));
  for (SimulatedRank& r : ranks) r.start();
  world.run();
  for (const SimulatedRank& r : ranks)
    if (!r.done()) throw ScheduleError(fmt::format("{}: ranks wait for each other", label(s, r.step())));
  return totals(
      static_cast<std::size_t>(s.grid.size()), [&](std::size_t r) { return ranks[r].times(); },
      [](std::size_t) { return 1; });
}

}  // namespace cairn
