#include "runtime/sparse/row_slices.hpp"

#include <algorithm>
#include <numeric>

#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "runtime/files/chunk.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn {

template <class T>
RowTotals totals_of_rows(const Comm& comm, const Blocks<T>& mine) {
  const std::size_t rows = mine.row_sizes->size();
  std::vector<Int> of(2 * rows + 2);  // blocks and words of block row i are those before row i + 1
  for_each(mine, [&](BlockIndex i, BlockIndex j, Int) {
    ++of[place(i) + 1];
    of[rows + 2 + place(i)] += mine.height(i) * Int{mine.width(j)};
  });
  over_ranks(comm, MPI_SUM, of);
  const auto second = of.begin() + static_cast<std::ptrdiff_t>(rows) + 1;
  std::partial_sum(of.begin(), second, of.begin());
  std::partial_sum(second, of.end(), second);
  return {{of.begin(), second}, {second, of.end()}};
}

RowSlices::RowSlices(const RowTotals& totals, Int word_bytes, Int chunk_bytes, Int ranks) : ranks_(ranks) {
  const Int rows = static_cast<Int>(totals.blocks_before.size()) - 1;
  const auto bytes_before = [&](Int row) {
    return totals.words_before[place(row)] * word_bytes +
           totals.blocks_before[place(row)] * static_cast<Int>(sizeof(BlockIndex));
  };
  const Int share = ceil_div(bytes_before(rows), ranks),
            most = std::max<Int>(1, std::min(chunk_of(chunk_bytes), share));
  for (Int row = 1; row <= rows; ++row)
    if (row == rows || bytes_before(row) - bytes_before(bounds_.back()) >= most) bounds_.push_back(row);
}

Range RowSlices::rows(Int pass, Int rank) const {
  const Int slice = pass * ranks_ + rank;
  return {bound(slice), bound(slice + 1)};
}

BlockDistribution RowSlices::owners(std::size_t block_cols) const {
  BlockDistribution where{ranks_, 1, {}, std::vector<BlockIndex>(block_cols)};
  for (Int slice = 0; slice < slices(); ++slice)
    where.row.insert(where.row.end(), place(bound(slice + 1) - bound(slice)), static_cast<BlockIndex>(slice % ranks_));
  return where;
}

#define CAIRN_INSTANTIATE(T) template RowTotals totals_of_rows(const Comm&, const Blocks<T>&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
