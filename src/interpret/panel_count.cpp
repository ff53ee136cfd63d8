#include "interpret/panel_count.hpp"

#include <cmath>

#include "base/arithmetic.hpp"

namespace cairn {

std::vector<BlockCount> count_panels(const PanelFlow& flow) {
  const PanelValues& v = flow.values();
  std::vector<BlockCount> all(static_cast<std::size_t>(v.wire.ranks));
  for (const PanelFlow::Step& step : flow.steps()) {
    for (std::size_t r = 0; r < step.flops.size(); ++r) all[r].flops += step.flops[r];
    for (const PanelFlow::Arrival& x : step.arrivals) {
      BlockCount& count = all[static_cast<std::size_t>(x.to)];
      const PanelSizes::Size& size = flow.sizes().of(step.src).at(x.row, x.col);
      const auto part = [&](Int whole) { return x.share == 1 ? whole : std::llround(x.share * real(whole)); };
      count.received[v.matrix(step.src)] += part(size.words), count.received_index += part(size.numbers);
      ++count.messages;
    }
  }
  return all;
}

}  // namespace cairn
