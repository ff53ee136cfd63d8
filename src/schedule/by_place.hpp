// Slots in the arena by the places where they can have elements: a rank finds its own without asking all, which matters
// where panels live on one row or column of ranks at a time.
#pragma once
#include <optional>
#include <vector>

#include "schedule/effect.hpp"

namespace cairn {

class ByPlace {
 public:
  using Place = std::optional<Layout::Where>;  ///< nothing: anywhere

  explicit ByPlace(const Schedule& s) : grid_(s.grid), there_(static_cast<std::size_t>(s.grid.axes())) {
    for (std::size_t axis = 0; axis < there_.size(); ++axis)
      there_[axis].resize(static_cast<std::size_t>(grid_.extent(static_cast<int>(axis))));
    for (std::size_t x = 0; x < s.slots.size(); ++x) {
      if (s.slots[x].callers() || s.slots[x].view_of >= 0) continue;
      if (const Place at = place_of(s, static_cast<Slot>(x)))
        there_[static_cast<std::size_t>(at->axis)][static_cast<std::size_t>(at->index)].push_back(x);
      else
        anywhere_.push_back(x);
    }
  }
  /// Where a step can concern anybody.
  static Place place_of(const Schedule& s, const Effect& e) {
    return as_redistribution(e) ? Place() : place_of(s, access(e).writes);
  }

  /// Calls visit(number) for all of them that may have something at this rank, in no order.
  template <class Visit>
  void for_each(Int rank, Visit visit) const {
    for (std::size_t x : anywhere_) visit(x);
    if (rank >= grid_.size()) return;
    for (int axis = 0; axis < grid_.axes(); ++axis)
      for (std::size_t x : there_[static_cast<std::size_t>(axis)][static_cast<std::size_t>(grid_.index(rank, axis))])
        visit(x);
  }

 private:
  static Place place_of(const Schedule& s, Slot x) {
    if (s.layout(x).where.empty() || !(s.layout(x).grid == s.grid)) return {};
    return s.layout(x).where.front();
  }

  Grid grid_;
  std::vector<std::size_t> anywhere_;
  std::vector<std::vector<std::vector<std::size_t>>> there_;  // by axis and coordinate
};

}  // namespace cairn
