#include "interpret/panel_count.hpp"

namespace cairn {

std::vector<PanelCount> count_panels(const PanelFlow& flow) {
  const PanelValues& v = flow.values();
  std::vector<PanelCount> all(static_cast<std::size_t>(v.wire.ranks));
  for (const PanelFlow::Step& step : flow.steps()) {
    for (std::size_t r = 0; r < step.flops.size(); ++r) all[r].flops += step.flops[r];
    for (const PanelFlow::Arrival& x : step.arrivals) {
      PanelCount& count = all[static_cast<std::size_t>(x.to)];
      const PanelSizes::Size& size = flow.sizes().of(step.src).at(x.row, x.col);
      count.received[v.matrix(step.src)] += size.words, count.numbers += size.numbers, ++count.messages;
    }
  }
  return all;
}

}  // namespace cairn
