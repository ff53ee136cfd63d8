#include "interpret/totals.hpp"

namespace cairn {

Timing totals(const Lanes& lanes, const Cells& cells) {
  const auto times = [&](std::size_t c) {
    Times t;
    t.seconds = std::max(lanes.core[c], lanes.out[c]);
    t.communication = lanes.receiving[c], t.computation = lanes.computed(c), t.steps = lanes.worked(c);
    t.rank = cells.rank(c);
    return t;
  };
  return totals(cells.size(), times, [&](std::size_t c) { return cells.weight(c); });
}

}  // namespace cairn
