// How much of one rank's part of a matrix lies in another rank's part of it in another layout, for many pairs of ranks.
#pragma once
#include <vector>

#include "cairn/layout.hpp"

namespace cairn {

/// Ranks whose coordinates cut a dimension alike hold the same indices of it: what two such sets share is found once,
/// when it is first asked for.
class SharedIndices {
 public:
  SharedIndices(const Dim& a, const Grid& grid_a, const Dim& b, const Grid& grid_b, Int ranks);
  Int size(Int rank_in_a, Int rank_in_b);

 private:
  struct Side {
    std::vector<std::size_t> of;  ///< number of the set, by rank
    std::vector<IndexSet> sets;
    Side(const Dim& dim, const Grid& grid, Int ranks);
  };
  Side a_, b_;
  std::vector<Int> shared_;  ///< of each pair of sets, -1: not known yet
};

/// Words of a transfer between any two of `ranks` ranks; layouts without arbitrary blocks.
class Overlaps {
 public:
  Overlaps(const Layout& src, const Layout& dst, Int ranks);
  /// Elements that `from` holds and `to` is to hold.
  Int words(Int from, Int to);

 private:
  const Layout &src_, &dst_;
  SharedIndices rows_, cols_;
};

}  // namespace cairn
