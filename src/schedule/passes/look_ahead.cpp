#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

// Two steps may trade places unless one writes storage that the other touches.
bool independent(const Schedule& s, const Access& a, const Access& b) {
  const auto touches = [&](const Access& x, Slot written) {
    if (s.storage(x.writes) == written) return true;
    return std::any_of(std::begin(x.reads), std::end(x.reads),
                       [&](Slot r) { return r >= 0 && s.storage(r) == written; });
  };
  return !touches(a, s.storage(b.writes)) && !touches(b, s.storage(a.writes));
}

// Communication keeps its order, but for panels that overtake sums on their way out. Every rank has the same steps in
// the same order, so messages between two ranks still match.
bool overtakes(const Step& mine, const Step& before) {
  const auto sums = [](const Step& s) {
    return std::holds_alternative<Reduce>(s) || std::holds_alternative<ReduceScatter>(s);
  };
  return sums(before) && !sums(mine) && !std::holds_alternative<Redistribute>(mine);
}

}  // namespace

Schedule look_ahead(Schedule s, int depth) {
  for (std::size_t t = 1; depth > 0 && t < s.steps.size(); ++t) {
    const Access mine = access(s.steps[t].step);
    if (!mine.communicates) continue;
    int passed = 0;
    for (std::size_t p = t; p > 0; --p) {
      const Access before = access(s.steps[p - 1].step);
      const bool computes = std::holds_alternative<Gemm>(s.steps[p - 1].step);
      if (before.communicates && !overtakes(s.steps[p].step, s.steps[p - 1].step)) break;
      if (!independent(s, mine, before) || (computes && ++passed > depth)) break;
      std::swap(s.steps[p], s.steps[p - 1]);
    }
  }
  return s;
}

}  // namespace cairn
