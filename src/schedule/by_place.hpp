// What a schedule lists, by the places where it can concern anybody: a rank finds its own without asking all, which
// matters where panels live on one row or column of ranks at a time.
#pragma once
#include <vector>

#include "schedule/effect.hpp"

namespace cairn {

class ByPlace {
 public:
  /// Of slots, or of what steps write.
  static ByPlace slots(const Schedule& s) {
    ByPlace all(s.grid);
    for (std::size_t x = 0; x < s.slots.size(); ++x) all.add(s, static_cast<Slot>(x), x);
    return all;
  }
  static ByPlace effects(const Schedule& s, const std::vector<Effect>& does) {
    ByPlace all(s.grid);
    for (std::size_t t = 0; t < does.size(); ++t)
      all.add(s, as_redistribution(does[t]) ? -1 : access(does[t]).writes, t);
    return all;
  }

  /// Calls visit(number) for all that may have something at this rank, in no order.
  template <class Visit>
  void for_each(Int rank, Visit visit) const {
    for (std::size_t x : anywhere_) visit(x);
    if (rank >= grid_.size()) return;
    for (int axis = 0; axis < grid_.axes(); ++axis)
      for (std::size_t x : there_[static_cast<std::size_t>(axis)][static_cast<std::size_t>(grid_.index(rank, axis))])
        visit(x);
  }

 private:
  explicit ByPlace(const Grid& grid) : grid_(grid), there_(static_cast<std::size_t>(grid.axes())) {
    for (std::size_t axis = 0; axis < there_.size(); ++axis)
      there_[axis].resize(static_cast<std::size_t>(grid.extent(static_cast<int>(axis))));
  }
  void add(const Schedule& s, Slot x, std::size_t number) {
    if (x < 0 || s.layout(x).where.empty() || !(s.layout(x).grid == grid_)) return anywhere_.push_back(number);
    const Layout::Where& w = s.layout(x).where.front();
    there_[static_cast<std::size_t>(w.axis)][static_cast<std::size_t>(w.index)].push_back(number);
  }

  Grid grid_;
  std::vector<std::size_t> anywhere_;
  std::vector<std::vector<std::vector<std::size_t>>> there_;  // by axis and coordinate
};

}  // namespace cairn
