#include "planner/memory_of.hpp"

#include "planner/redistribution.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

// The first rank, and for every axis its neighbour and the one at the far end.
std::vector<Int> corners(const Grid& grid) {
  std::vector<Int> ranks{0};
  for (int axis = 0; axis < grid.axes(); ++axis)
    for (Int index : {Int{1}, grid.extent(axis) - 1})
      if (index > 0 && index < grid.extent(axis)) ranks.push_back(grid.with(0, axis, index));
  return ranks;
}

// Where pieces go round, no rank stands for others.
bool skewed(const Schedule& s) {
  return std::any_of(s.steps.begin(), s.steps.end(),
                     [](const LabelledStep& l) { return std::holds_alternative<Shift>(l.step); });
}

}  // namespace

// In its own layouts every cut gives the first rank most, so that by messages the fullest is among a few; and where
// panels are thin, a few of each owner tell of all. Else all ranks are counted.
Int memory_of(const Drafts& drafts, const Sought& sought, const Family& family, const Candidate& c) {
  GemmProblem problem = drafts.problem();
  const bool few = !has_layouts(problem) && transport_named(drafts.options().transport) == Transport::two_sided;
  const std::optional<Shortened> shorter = few && family.shorten ? family.shorten(sought, c) : std::nullopt;
  if (shorter) problem.m = shorter->dims.m, problem.n = shorter->dims.n, problem.k = shorter->dims.k;
  const Draft d = drafts.unclocked(make_algorithm(problem, family.spell(c)), c.look_ahead);
  if (!few || skewed(d->collective)) {
    drafts.count(*d);
    return d->totals.max.peak_words;
  }
  const Uses uses(d->wire);
  const auto placed = [&](Int rank) { return place_buffers(d->wire, uses, rank, Transport::two_sided).words; };
  if (shorter) return shorter->own + placed(0);
  Int most = 0;
  for (Int rank : corners(d->wire.grid)) most = std::max(most, callers_words(d->wire, rank) + placed(rank));
  return most;
}

}  // namespace cairn
