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

}  // namespace

Schedule look_ahead(Schedule s, int depth) {
  for (std::size_t t = 1; t < s.steps.size(); ++t) {
    const Access mine = access(s.steps[t].step);
    if (!mine.communicates) continue;
    int passed = 0;
    for (std::size_t p = t; p > 0; --p) {
      const Access before = access(s.steps[p - 1].step);
      const bool computes = std::holds_alternative<Gemm>(s.steps[p - 1].step);
      // Communication keeps its order, so that messages between two ranks cannot overtake each other.
      if (before.communicates || !independent(s, mine, before) || (computes && ++passed > depth)) break;
      std::swap(s.steps[p], s.steps[p - 1]);
    }
  }
  return s;
}

}  // namespace cairn
