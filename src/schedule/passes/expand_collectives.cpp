#include "schedule/passes/expand.hpp"
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
  return wire;
}

}  // namespace cairn
