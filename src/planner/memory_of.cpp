#include "planner/memory_of.hpp"

#include <set>

#include "planner/redistribution.hpp"
#include "schedule/effect.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

std::vector<Int> corners(const Grid& grid) {
  constexpr int few_axes = 3;
  std::vector<Int> ranks{0};
  for (int axis = 0; axis < grid.axes(); ++axis) {
    const std::size_t from = grid.axes() <= few_axes ? ranks.size() : 1;
    for (std::size_t r = 0; r < from; ++r)
      for (Int index : std::set<Int>{1, grid.extent(axis) - 1})
        if (index > 0 && index < grid.extent(axis)) ranks.push_back(grid.with(ranks[r], axis, index));
  }
  return ranks;
}

namespace {

// Where pieces go round, no rank stands for others.
bool skewed(const Schedule& s) {
  const std::vector<Effect> does = effects(s);
  return std::any_of(does.begin(), does.end(), [](const Effect& e) { return message(e); });
}

bool in_own_layouts_by_messages(const Drafts& drafts) {
  return !has_layouts(drafts.problem()) && transport_named(drafts.options().transport) == Transport::two_sided;
}

Int placed(const Schedule& wire, const Uses& uses, Int rank) {
  return place_buffers(wire, uses, rank, Transport::two_sided).words;
}

}  // namespace

// In its own layouts every cut gives the first rank most, so that by messages the fullest is among a few.
Int memory_of(const Drafts& drafts, const Draft& d) {
  if (d->counted || !in_own_layouts_by_messages(drafts) || skewed(d->collective)) {
    drafts.count(*d);
    return d->totals.max.peak_words;
  }
  const Uses uses(d->wire);
  Int most = 0;
  for (Int rank : corners(d->wire.grid))
    most = std::max(most, callers_words(d->wire, rank) + placed(d->wire, uses, rank));
  return most;
}

// Where panels are thin, a few of each owner tell of all.
Int memory_of(const Drafts& drafts, const Sought& sought, const Family& family, const Candidate& c) {
  GemmProblem problem = drafts.problem();
  const bool may = family.shorten && in_own_layouts_by_messages(drafts);
  const std::optional<Shortened> shorter = may ? family.shorten(sought, c) : std::nullopt;
  if (shorter) problem.m = shorter->dims.m, problem.n = shorter->dims.n, problem.k = shorter->dims.k;
  const MadeAlgorithm made = shorter ? make_algorithm(problem, family.spell(c)) : drafts.algorithm(family.spell(c));
  const Draft d = drafts.unclocked(made, c.look_ahead);
  return shorter ? shorter->own + placed(d->wire, Uses(d->wire), 0) : memory_of(drafts, d);
}

}  // namespace cairn
