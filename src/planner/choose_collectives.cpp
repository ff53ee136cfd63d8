#include "planner/choose_collectives.hpp"

#include <cmath>

#include "base/arithmetic.hpp"
#include "interpret/clock.hpp"
#include "planner/limits.hpp"
#include "schedule/effect.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

How usual(Collective of) {
  const bool tree = of == Collective::bcast || of == Collective::reduce;
  return {tree ? Way::binomial : Way::direct, 0};
}

// The machine as ranks `stride` apart see it.
Machine seen_from(Machine machine, Int stride) {
  for (Machine::Level& l : machine.levels) l.ranks /= stride;
  while (machine.levels.size() > 1 && machine.levels.front().ranks < 2) machine.levels.erase(machine.levels.begin());
  for (std::size_t l = 1; l + 1 < machine.levels.size();)
    if (machine.levels[l].ranks <= machine.levels[l - 1].ranks)
      machine.levels.erase(machine.levels.begin() + static_cast<std::ptrdiff_t>(l));
    else
      ++l;
  return machine;
}

Schedule alone(const CollectiveChooser::Case& c, How how) {
  Schedule s;
  s.algorithm = "collective";
  s.problem = Copy{c.inner, c.outer};
  s.ranks = c.q;
  s.grid = Grid({{"x", c.q}});
  Layout whole;
  whole.grid = s.grid;
  whole.rows = {{0, c.inner}, {}};
  whole.cols = {{0, c.outer}, {}};
  Layout part = whole;
  part.cols.cuts.push_back(Cut::even(s.grid, 0));
  const bool gathers = c.of == Collective::allgather, scatters = c.of == Collective::reduce_scatter;
  s.slots = {{"A", gathers ? part : whole, SlotInfo::Role::operand, -1},
             {"C", scatters ? part : whole, SlotInfo::Role::panel, -1}};
  switch (c.of) {
    case Collective::bcast: s.steps.push_back({Bcast{0, 1, 0, 0, how}, ""}); break;
    case Collective::reduce: s.steps.push_back({Reduce{0, 1, 0, 0, Update::overwrite, how}, ""}); break;
    case Collective::allgather: s.steps.push_back({AllGather{0, 1, 0, how}, ""}); break;
    case Collective::reduce_scatter: s.steps.push_back({ReduceScatter{0, 1, 0, Update::overwrite, how}, ""});
  }
  return s;
}

// Of about the same size: rounds come out uneven by an index.
bool alike(const CollectiveChooser::Case& a, const CollectiveChooser::Case& b) {
  constexpr Int share = 8;
  const auto about = [](Int x, Int y) { return std::abs(x - y) <= std::max<Int>(1, std::max(x, y) / share); };
  return a.of == b.of && a.q == b.q && a.stride == b.stride && about(a.outer, b.outer) && about(a.inner, b.inner);
}

}  // namespace

double CollectiveChooser::clocked(const Case& c, How how) const {
  return clock(expand_collectives(alone(c, how)), seen_from(machine_, c.stride), type_).seconds;
}

namespace {

// More would have no elements.
Int most_segments(const CollectiveChooser::Case& c) { return std::max({Int{1}, c.outer, c.inner}); }

}  // namespace

// S that makes (S + q − 2)(α + wβ/S) least.
Int CollectiveChooser::segments(const Case& c) const {
  const Machine::Level& level = machine_.levels[machine_.level_of(c.stride + 1)];
  const double latency = machine_.step_seconds + 2 * level.overhead_seconds + level.message_seconds(0),
               transfer = level.message_seconds(real(c.outer * c.inner * size_of(type_))) - level.message_seconds(0);
  const double best = latency > 0 ? std::sqrt(real(c.q - 2) * transfer / latency) : 0;
  return std::clamp<Int>(std::llround(std::min(best, real(limits.segments))), 1, most_segments(c));
}

std::vector<How> CollectiveChooser::candidates(const Case& c) const {
  std::vector<How> all;
  for (Way way : ways_of(c.of)) {
    const How how{way, way == Way::chain ? segments(c) : 0};
    const bool power_of_two = (c.q & (c.q - 1)) == 0;
    if (how == usual(c.of) || (way == Way::doubling && !power_of_two) || (way == Way::chain && how.segments == 1))
      continue;
    if (way == Way::packed) continue;  // for an algorithm to ask for, which knows its pieces
    if (spare_.memory && (way == Way::halving || way == Way::tree)) continue;
    if (spare_.words && (way == Way::scatter_bruck || way == Way::scatter_gather || way == Way::tree)) continue;
    all.push_back(how);
  }
  return all;
}

How CollectiveChooser::fastest(const Case& c) const {
  How best = usual(c.of);
  if (c.q < 2 || c.outer * c.inner == 0) return best;      // there is no message
  if (c.q == 2 && c.of == Collective::bcast) return best;  // there is one, and nobody passes it on
  double least = (1 - machine_.precision) * clocked(c, best);
  for (How how : candidates(c))
    if (const double t = clocked(c, how); t < least) least = t, best = how;
  return best;
}

How CollectiveChooser::choose(const Case& c) {
  How how = asked_[c.of];
  if (how.way == Way::chain) how.segments = how.segments == 0 ? segments(c) : std::min(how.segments, most_segments(c));
  if (how.way != Way::open) return how;
  const auto [at, fresh] = known_.try_emplace(c);
  if (fresh) at->second = fastest(c);
  return at->second;
}

// Collectives of one size are carried out alike: those in many messages would hold up those in few.
Schedule CollectiveChooser::choose(Schedule s) {
  std::vector<Case> cases;
  const auto way = [&](const Move& x, Collective of, Slot whole) {
    const Layout& l = s.layout(whole);
    const Int q = s.grid.extent(x.axis), m = l.rows.size(l.grid, 0), n = l.cols.size(l.grid, 0);
    const bool col = l.order == Order::col;
    if (s.grid.size() > limits.chosen_ranks && open(of)) return usual(of);
    const Case c{of, q, s.grid.stride(x.axis), col ? n : m, col ? m : n};
    const auto known = std::ranges::find_if(cases, [&](const Case& other) { return alike(other, c); });
    if (known != cases.end()) return choose(*known);
    cases.push_back(c);
    return choose(c);
  };
  for (LabelledStep& l : s.steps) {
    const Effect does = effect(l.step);
    const Move* m = as_move(does);
    if (!m || !m->collective || m->how.way == Way::packed) continue;  // packed: chosen by the algorithm
    carry_out(l.step, way(*m, *m->collective, m->from == Move::From::terms ? m->src : m->dst));
  }
  return s;
}

}  // namespace cairn
