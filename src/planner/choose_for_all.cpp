#include "planner/choose_for_all.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/arithmetic.hpp"
#include "interpret/clock.hpp"
#include "planner/limits.hpp"
#include "schedule/effect.hpp"
#include "schedule/passes/expand.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

// If a chain of eight pieces is one of fewer than four where its root differs between lines: how many to ask for.
std::optional<Int> pieces_for(Int line) {
  constexpr Int usual = 8, enough = 4;
  if (line <= usual || pieces_that_wrap(line, usual) >= enough) return {};
  for (Int pieces = usual + 1; pieces <= limits.segments; ++pieces)
    if (pieces_that_wrap(line, pieces) == pieces) return pieces;
  return {};
}

// What is tried for all collectives of a kind, on lines of so many ranks or more. To one other rank there is one way to
// broadcast; but of the sum of two ranks either may form one half. Trees need not be faster by the machine's precision
// to be preferred to that, since it makes ranks wait for each other: decision 53.
struct Tried {
  std::vector<How> ways;
  Int least_line;
  bool by_precision;
};
Tried tried(Collective of, const Problem& problem, Int line) {
  if (of != Collective::bcast) return {{{Way::binomial, 0}}, 2, false};
  std::vector<How> ways;
  if (const std::optional<Int> pieces = pieces_for(line)) ways.push_back({Way::chain, *pieces});
  ways.push_back({Way::chain, 8});
  // Of four pieces the clock hopes for more than the replay has. In factorisations on lines that are not long, that is
  // small beside what they gain: decision 61.
  if (std::holds_alternative<Factorise>(problem) && line <= limits.four_pieces) ways.push_back({Way::chain, 4});
  ways.push_back({Way::binomial, 0});
  return {std::move(ways), 3, true};
}

// The axis along which a step is a collective of this kind.
std::optional<int> axis_of(Collective of, const Step& step) {
  const Effect does = effect(step);
  const Move* m = as_move(does);
  if (!m || m->collective != of) return {};
  return m->axis;
}

// Ranks on the longest line along which there is such a collective.
Int longest_line(Collective of, const Schedule& s) {
  Int longest = 1;
  for (const LabelledStep& l : s.steps)
    if (const std::optional<int> axis = axis_of(of, l.step)) longest = std::max(longest, s.grid.extent(*axis));
  return longest;
}

// In the middle of the matrix panels are neither the longest nor the shortest.
Schedule stretch(Schedule s, Int line) {
  const double each = real(line + 8) * real(s.grid.size());  // a collective in so many steps, of all ranks
  const auto most = static_cast<std::ptrdiff_t>(limits.stretch_work / each), all = std::ssize(s.steps);
  if (all <= most) return s;
  const std::ptrdiff_t first = (all - most) / 2;
  s.steps.erase(s.steps.begin() + first + most, s.steps.end());
  s.steps.erase(s.steps.begin(), s.steps.begin() + first);
  return s;
}

}  // namespace

Schedule all_by(Collective of, How how, Schedule s) {
  for (LabelledStep& l : s.steps)
    if (axis_of(of, l.step)) carry_out(l.step, how);
  return s;
}

std::optional<How> fastest_for_all(Collective of, const Machine& machine, ScalarType type, const Schedule& schedule) {
  const Int line = longest_line(of, schedule);
  const Tried tried = cairn::tried(of, schedule.problem, line);
  if (line < tried.least_line || schedule.grid.size() > limits.chosen_ranks) return {};
  const Schedule some = stretch(schedule, line);
  const auto seconds = [&](const Schedule& s) { return clock(expand_collectives(s), machine, type).seconds; };
  double least = (tried.by_precision ? 1 - machine.precision : 1) * seconds(some);
  std::optional<How> fastest;
  for (const How& how : tried.ways) {
    const double hoped = fastest && how.way == Way::chain ? limits.fewer_pieces : 1;
    if (const double t = seconds(all_by(of, how, some)); t < hoped * least) least = t, fastest = how;
  }
  return fastest;
}

}  // namespace cairn
