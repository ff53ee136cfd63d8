#include "interpret/totals.hpp"

namespace cairn {

Timing totals(const Lanes& lanes, const Cells& cells) {
  Timing t;
  const auto end = [&](std::size_t c) { return std::max(lanes.core[c], lanes.out[c]); };
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const double seconds = end(c), busy = lanes.computed(c) + lanes.worked(c);
    if (c > 0 && seconds <= t.last.seconds) continue;
    t.last = {seconds,      lanes.receiving[c], lanes.computed(c), lanes.worked(c), std::max(0.0, seconds - busy),
              cells.rank(c)};
  }
  const auto spread = [&](auto value) {
    Spread s{value(0), 0, value(0)};
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const double x = value(c);
      s.min = std::min(s.min, x), s.max = std::max(s.max, x);
      s.mean += x * static_cast<double>(cells.weight(c));
    }
    s.mean /= static_cast<double>(cells.grid().size());
    return s;
  };
  t.finish = spread(end);
  t.computation = spread([&](std::size_t c) { return lanes.computed(c); });
  t.communication = spread([&](std::size_t c) { return lanes.receiving[c]; });
  t.steps = spread([&](std::size_t c) { return lanes.worked(c); });
  t.exposed = spread([&](std::size_t c) { return std::max(0.0, end(c) - lanes.computed(c) - lanes.worked(c)); });
  t.idle = spread([&](std::size_t c) { return t.last.seconds - end(c); });
  return t;
}

}  // namespace cairn
