// Which rank has each panel of a value.
#pragma once
#include <vector>

#include "schedule/effect.hpp"
#include "schedule/panel_sizes.hpp"

namespace cairn {

/// f(i, j) for some rows × columns of panels.
template <class F>
void for_each_panel(const IndexSet& rows, const IndexSet& cols, F f) {
  PanelSizes::for_each(rows, [&](Int i) { PanelSizes::for_each(cols, [&](Int j) { f(i, j); }); });
}
template <class F>
void for_each_panel(const Region& r, F f) {
  for_each_panel(r.rows, r.cols, f);
}

/// Of several ranks the first; -1 where none has it.
class PanelOwners {
 public:
  PanelOwners(const Schedule& s, Slot x);
  Int at(Int i, Int j) const { return rank_[static_cast<std::size_t>(i * cols_ + j)]; }
  /// Whether others have any panel, too.
  bool copies() const { return copies_; }

 private:
  Int cols_;
  std::vector<Int> rank_;
  bool copies_ = false;
};

}  // namespace cairn
