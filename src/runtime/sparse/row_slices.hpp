// Block rows of a whole matrix, cut into slices that ranks take in turns: the order in which files hold blocks.
#pragma once
#include <vector>

#include "base/arithmetic.hpp"
#include "cairn/blocks.hpp"
#include "cairn/comm.hpp"

namespace cairn {

/// Of each block row of a whole matrix, and at the end of all.
struct RowTotals {
  std::vector<Int> blocks_before, words_before;
};

/// Collective: of all ranks' blocks, one reduction.
template <class T>
RowTotals totals_of_rows(const Comm& comm, const Blocks<T>& mine);

/// Consecutive block rows whose blocks and index take about `chunk_bytes`, less where there are fewer than that for
/// each rank, and more where a single row does. In pass p, rank r has slice number p·ranks + r.
class RowSlices {
 public:
  RowSlices(const RowTotals& totals, Int word_bytes, Int chunk_bytes, Int ranks);

  Int passes() const { return ceil_div(slices(), ranks_); }
  Range rows(Int pass, Int rank) const;
  /// All block rows of a pass.
  Range rows(Int pass) const { return {rows(pass, 0).lo, rows(pass, ranks_ - 1).hi}; }
  /// Block rows with their rank, in every pass; block columns are not distributed.
  BlockDistribution owners(std::size_t block_cols) const;

 private:
  Int slices() const { return static_cast<Int>(bounds_.size()) - 1; }
  Int bound(Int slice) const { return bounds_[static_cast<std::size_t>(std::min(slice, slices()))]; }

  Int ranks_;
  std::vector<Int> bounds_{0};  ///< first block row of each slice, and the end
};

}  // namespace cairn
