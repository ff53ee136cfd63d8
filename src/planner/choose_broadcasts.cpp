#include "planner/choose_broadcasts.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"
#include "interpret/clock.hpp"
#include "planner/limits.hpp"
#include "schedule/effect.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

// The replay has chains of eight pieces as the fastest or within 5 %; of four, the clock hopes for more than there is.
constexpr How ways[] = {{Way::chain, 8}, {Way::binomial, 0}};

bool broadcasts(const Step& step) {
  const Effect does = effect(step);
  const Move* m = as_move(does);
  return m && m->collective == Collective::bcast;
}

// Ranks on the longest line along which something is broadcast.
Int longest_line(const Schedule& s) {
  Int longest = 1;
  for (const LabelledStep& l : s.steps)
    if (broadcasts(l.step)) longest = std::max(longest, s.grid.extent(as_move(effect(l.step))->axis));
  return longest;
}

// In the middle of the matrix panels are neither the longest nor the shortest.
Schedule stretch(Schedule s, Int line) {
  const double each = real(line + 8) * real(s.grid.size());  // a broadcast in so many steps, of all ranks
  const auto most = static_cast<std::ptrdiff_t>(limits.stretch_work / each), all = std::ssize(s.steps);
  if (all <= most) return s;
  const std::ptrdiff_t first = (all - most) / 2;
  s.steps.erase(s.steps.begin() + first + most, s.steps.end());
  s.steps.erase(s.steps.begin(), s.steps.begin() + first);
  return s;
}

}  // namespace

Schedule broadcast_by(How how, Schedule s) {
  for (LabelledStep& l : s.steps)
    if (broadcasts(l.step)) carry_out(l.step, how);
  return s;
}

std::optional<How> fastest_broadcast(const Machine& machine, ScalarType type, const Schedule& schedule) {
  const Int line = longest_line(schedule);
  if (line < 3 || schedule.grid.size() > limits.chosen_ranks) return {};  // to one other rank there is one way
  const Schedule some = stretch(schedule, line);
  const auto seconds = [&](const Schedule& s) { return clock(expand_collectives(s), machine, type).seconds; };
  double least = (1 - machine.precision) * seconds(some);
  std::optional<How> fastest;
  for (const How& how : ways)
    if (const double t = seconds(broadcast_by(how, some)); t < least) least = t, fastest = how;
  return fastest;
}

}  // namespace cairn
