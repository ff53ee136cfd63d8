// What a schedule lists, by the places where it can concern anybody: a rank finds its own without asking all, which
// matters where panels live on one row or column of ranks at a time.
#pragma once
#include <optional>
#include <vector>

#include "schedule/effect.hpp"

namespace cairn {

class ByPlace {
 public:
  using Place = std::optional<Layout::Where>;  ///< nothing: anywhere

  /// Of slots, or of what steps write.
  static ByPlace slots(const Schedule& s) {
    ByPlace all(s.grid);
    for (std::size_t x = 0; x < s.slots.size(); ++x) all.add(place_of(s, static_cast<Slot>(x)), x);
    return all;
  }
  static ByPlace effects(const Schedule& s, const std::vector<Effect>& does) {
    ByPlace all(s.grid);
    for (std::size_t t = 0; t < does.size(); ++t) all.add(place_of(s, does[t]), t);
    return all;
  }
  static Place place_of(const Schedule& s, const Effect& e) {
    return as_redistribution(e) ? Place() : place_of(s, access(e).writes);
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
  static Place place_of(const Schedule& s, Slot x) {
    if (s.layout(x).where.empty() || !(s.layout(x).grid == s.grid)) return {};
    return s.layout(x).where.front();
  }
  void add(const Place& place, std::size_t number) {
    if (!place) return anywhere_.push_back(number);
    there_[static_cast<std::size_t>(place->axis)][static_cast<std::size_t>(place->index)].push_back(number);
  }

  Grid grid_;
  std::vector<std::size_t> anywhere_;
  std::vector<std::vector<std::vector<std::size_t>>> there_;  // by axis and coordinate
};

}  // namespace cairn
