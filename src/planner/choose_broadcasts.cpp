#include "planner/choose_broadcasts.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"
#include "interpret/clock.hpp"
#include "planner/limits.hpp"
#include "schedule/effect.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

// Of four pieces the clock hopes for more than the replay has: decision 53.
constexpr How ways[] = {{Way::chain, 8}, {Way::binomial, 0}};

// The axis along which a step broadcasts.
std::optional<int> broadcast_axis(const Step& step) {
  const Effect does = effect(step);
  const Move* m = as_move(does);
  if (!m || m->collective != Collective::bcast) return {};
  return m->axis;
}

// Ranks on the longest line along which something is broadcast.
Int longest_line(const Schedule& s) {
  Int longest = 1;
  for (const LabelledStep& l : s.steps)
    if (const std::optional<int> axis = broadcast_axis(l.step)) longest = std::max(longest, s.grid.extent(*axis));
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
    if (broadcast_axis(l.step)) carry_out(l.step, how);
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
