#include "schedule/panel_owners.hpp"

namespace cairn {

PanelOwners::PanelOwners(const Schedule& s, Slot x) : cols_(s.layout(x).n()) {
  const Layout& l = s.layout(x);
  rank_.assign(static_cast<std::size_t>(l.m() * l.n()), -1);
  for (Int r = 0; r < s.ranks; ++r)
    for_each_panel(region(l, r), [&](Int i, Int j) {
      Int& first = rank_[static_cast<std::size_t>(i * cols_ + j)];
      copies_ = copies_ || first >= 0;
      if (first < 0) first = r;
    });
}

}  // namespace cairn
