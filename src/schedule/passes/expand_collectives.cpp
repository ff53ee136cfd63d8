#include <utility>

#include "schedule/passes/expand.hpp"
#include "schedule/passes/panels_first.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

void expand(Expansion& e, Collective of, const Move& x) {
  switch (of) {
    case Collective::bcast: return expand_bcast(e, x);
    case Collective::reduce: return expand_reduce(e, x);
    case Collective::allgather: return expand_allgather(e, x);
    case Collective::reduce_scatter: return expand_reduce_scatter(e, x);
  }
}

// What arrives to be added to a matrix that is overwritten is waited for when the matrix goes on with it, and not
// before products that have nothing to do with it.
void add_when_needed(Schedule& s) {
  std::vector<Effect> does = effects(s);
  const auto waits = [&](std::size_t t) {
    const Move* m = as_move(does[t]);
    return m && m->stays() && m->update == Update::accumulate;
  };
  const auto passes = [&](std::size_t t, const Effect& next) {
    return as_compute(next) &&
           independent(access(does[t]), access(next), [&](Slot a, Slot b) { return !apart(s, a, b); });
  };
  for (std::size_t last = s.steps.size(); last-- > 0;)
    for (std::size_t t = last; waits(t) && t + 1 < s.steps.size() && passes(t, does[t + 1]); ++t) {
      std::swap(s.steps[t], s.steps[t + 1]);
      std::swap(does[t], does[t + 1]);
    }
}

}  // namespace

Schedule expand_collectives(const Schedule& s) {
  Schedule wire = s;
  wire.steps.clear();
  for (const LabelledStep& l : s.steps) {
    Expansion e(s, wire, l);
    const Effect does = effect(l.step);
    if (const Move* m = as_move(does); m && m->collective)
      expand(e, *m->collective, *m);
    else
      e.keep();
  }
  if (in_place(wire.problem)) add_when_needed(wire);
  return wire;
}

}  // namespace cairn
