// Who holds element (i, j) of a distributed matrix, and where in that rank's memory. For sparse input, where the ranks
// that find an element are not those that keep it.
#pragma once
#include <unordered_map>
#include <vector>

#include "cairn/layout.hpp"

namespace cairn {

class Owners {
 public:
  /// The layout's parts on ranks 0 … ranks − 1, stored densely.
  Owners(const Layout& layout, int ranks);

  /// visit(rank, offset) for every copy of element (i, j).
  template <class Visit>
  void for_each_copy(Int i, Int j, const Visit& visit) const {
    for (const Hit& row : rows_.at(i))
      for (const Hit& col : cols_.at(j)) {
        const auto found = patches_.find(row.set * cols_.count() + col.set);
        if (found == patches_.end()) continue;
        const Int a = row.local + i, b = col.local + j;
        for (const Stored& s : found->second)
          visit(s.rank, s.base + (by_columns_ ? a + b * rows_.size(row.set) : a * cols_.size(col.set) + b));
      }
  }

 private:
  /// An index belongs to index set number `set`, where its local index is `local` plus the index.
  struct Hit {
    Int set, local;
  };
  /// The different index sets of one dimension, and which of them hold an index.
  class Axis {
   public:
    /// Number of an index set.
    Int add(const IndexSet& set);
    /// After the last add().
    void finish();
    const std::vector<Hit>& at(Int index) const;
    Int count() const { return static_cast<Int>(sets_.size()); }
    Int size(Int set) const { return sets_[static_cast<std::size_t>(set)].size(); }

   private:
    std::vector<IndexSet> sets_;
    std::unordered_map<Int, std::vector<Int>> by_start_;  ///< sets by their first index, to find equal ones
    std::vector<Int> starts_;                             ///< of intervals that are in the same sets throughout
    std::vector<std::vector<Hit>> hits_;                  ///< of those intervals
  };
  struct Stored {
    int rank;
    Int base;
  };

  bool by_columns_;
  Axis rows_, cols_;
  std::unordered_map<Int, std::vector<Stored>> patches_;  ///< by row set · (column sets) + column set
};

}  // namespace cairn
