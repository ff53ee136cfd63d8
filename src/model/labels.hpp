// Ranks that act in each other's place.
#pragma once
#include <vector>

#include "cairn/layout.hpp"

namespace cairn {

/// Which rank acts at each position of a schedule, which counts positions as ranks; without labels each at its own.
class Labels {
 public:
  Labels() = default;
  /// By position, a permutation.
  explicit Labels(std::vector<Int> ranks);

  bool empty() const { return ranks_.empty(); }
  const std::vector<Int>& ranks() const { return ranks_; }
  Int rank(Int position) const { return empty() ? position : ranks_[static_cast<std::size_t>(position)]; }
  Int position(Int rank) const { return empty() ? rank : positions_[static_cast<std::size_t>(rank)]; }

  /// A layout over positions as ranks hold it, and the other way round.
  Layout of_ranks(const Layout& over_positions) const { return renamed(over_positions, ranks_); }
  Layout of_positions(const Layout& over_ranks) const { return renamed(over_ranks, positions_); }

 private:
  static Layout renamed(const Layout& layout, const std::vector<Int>& names);
  std::vector<Int> ranks_, positions_;
};

}  // namespace cairn
