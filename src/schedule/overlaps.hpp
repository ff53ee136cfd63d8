// How much of one rank's part of a matrix lies in another rank's part of it in another layout, for many pairs of ranks.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "schedule/transfers.hpp"

namespace cairn {

/// The sets of indices into which a dimension is cut, each once, and whose is which.
struct IndexSets {
  std::vector<std::size_t> of;  ///< number of the set, by rank
  std::vector<IndexSet> sets;
};

/// Ranks whose coordinates cut a dimension alike hold the same indices of it: what two such sets share is found once,
/// when it is first asked for. The sets of the dimensions asked for last are remembered, by each thread.
class CommonIndices {
 public:
  CommonIndices(const Dim& a, const Grid& grid_a, const Dim& b, const Grid& grid_b, Int ranks, Stairs stairs);
  /// How many indices both have, in each strip of the stairs.
  std::span<const Int> sizes(Int rank_in_a, Int rank_in_b) {
    const std::size_t a = a_->of[static_cast<std::size_t>(rank_in_a)], b = b_->of[static_cast<std::size_t>(rank_in_b)];
    const std::span<Int> sizes(&common_[(a * b_->sets.size() + b) * strips_], strips_);
    if (sizes.front() < 0) find(a, b, sizes);
    return sizes;
  }

 private:
  void find(std::size_t a, std::size_t b, std::span<Int> sizes) const;
  std::shared_ptr<const IndexSets> a_, b_;
  std::size_t strips_;
  Int width_;                ///< of a strip
  std::vector<Int> common_;  ///< of each pair of sets and strip, -1: not known yet
};

/// Words of a transfer between any two of `ranks` ranks; layouts without arbitrary blocks.
class Overlaps {
 public:
  Overlaps(const Layout& src, const Layout& dst, Int ranks, Stairs stairs = {});
  /// Elements that `from` holds and `to` is to hold.
  Int words(Int from, Int to) {
    if (!sends_[static_cast<std::size_t>(from)] || !receives_[static_cast<std::size_t>(to)]) return 0;
    return stairs_.words(rows_.sizes(from, to), cols_.sizes(from, to));
  }

 private:
  Stairs stairs_;
  std::vector<bool> sends_, receives_;  ///< by rank: whether it has a part of the source, of the destination
  CommonIndices rows_, cols_;
};

}  // namespace cairn
