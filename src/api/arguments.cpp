#include "api/arguments.hpp"

#include <fmt/ranges.h>

#include "schedule/text.hpp"

namespace cairn {

std::string text_of(const Layout& l) {
  std::string text = print(SlotInfo{"", l}, Grid()) + (l.order == Order::col ? " col" : " row");
  if (l.blocks)
    text += fmt::format(" rows {} cols {} owners {} {}", fmt::join(l.blocks->row_bounds, ","),
                        fmt::join(l.blocks->col_bounds, ","), fmt::join(l.blocks->owner, ","), l.blocks->by_columns);
  return text;
}

}  // namespace cairn
