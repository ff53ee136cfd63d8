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

bool as_closed_forms_know(const Drafts& drafts) {
  return !has_layouts(drafts.problem()) && transport_named(drafts.options().transport) == Transport::two_sided;
}

namespace {

// Where pieces go round, or are fetched in turn, no rank stands for others.
bool skewed(const Schedule& s) {
  const std::vector<Effect> does = effects(s);
  return std::any_of(does.begin(), does.end(), [](const Effect& e) { return message(e) || as_redistribution(e); });
}

Int placed(const Schedule& wire, const Uses& uses, Int rank) {
  return place_buffers(wire, uses, rank, Transport::two_sided).words;
}

}  // namespace

// In its own layouts every cut gives the first rank most, so that by messages the fullest is among a few.
Int memory_of(const Drafts& drafts, const Draft& d) {
  if (d->counted() || !as_closed_forms_know(drafts) || skewed(d->collective)) return d->totals().max.peak_words;
  const Uses uses(d->wire);
  Int most = 0;
  for (Int rank : corners(d->wire.grid))
    most = std::max(most, callers_words(d->wire, rank) + placed(d->wire, uses, rank));
  return most;
}

std::optional<Dims> shortened(const Dims& dims, const Outline& o, int look_ahead) {
  Dims d = dims;
  Int& size = o.loop == 'm' ? d.m : o.loop == 'n' ? d.n : d.k;
  const Int few = std::max({o.parts[0], o.parts[1], o.parts[2]}) * (2 * look_ahead + 1);
  if (!o.thinnest || size <= few) return std::nullopt;
  size = few;
  return d;
}

// Where panels are thin, a few of each owner tell of all.
Int memory_of(const Drafts& drafts, const Sought& sought, const Family& family, const Candidate& c) {
  const Outline& outline = family.outline(c);
  const auto dims = as_closed_forms_know(drafts) ? shortened(sought.dims, outline, c.look_ahead) : std::nullopt;
  if (!dims) return memory_of(drafts, drafts.make(drafts.algorithm(family.spell(c)), c.look_ahead));
  GemmProblem shorter = drafts.problem();
  shorter.m = dims->m, shorter.n = dims->n, shorter.k = dims->k;
  const Draft d = drafts.make(make_algorithm(shorter, family.spell(c)), c.look_ahead);
  return outline.own + placed(d->wire, Uses(d->wire), 0);
}

}  // namespace cairn
