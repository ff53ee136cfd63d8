// Blocks that belong to somebody else.
#pragma once
#include <algorithm>

#include "cairn/blocks.hpp"

namespace cairn {

template <class T>
struct BlocksView {
  const BlockPattern& pattern;
  const T* values;

  BlocksView(const BlockPattern& blocks, const T* their_values) : pattern(blocks), values(their_values) {}
  BlocksView(const Blocks<T>& x) : BlocksView(x, x.values.data()) {}

  const T* block(Int b) const { return values + pattern.at[static_cast<std::size_t>(b)]; }
};

/// Words of all blocks.
inline Int words_of(const BlockPattern& x) {
  Int words = 0;
  for_each(x, [&](BlockIndex i, BlockIndex j, Int) { words += x.height(i) * x.width(j); });
  return words;
}

/// Of the block rows that hold a block, the number of the first from `row` on; how many these are if there is none.
inline std::size_t first_row(const BlockPattern& x, Int row) {
  return static_cast<std::size_t>(std::lower_bound(x.rows.begin(), x.rows.end(), row) - x.rows.begin());
}
/// The number of `row` itself; how many these are if it holds none.
inline std::size_t find_row(const BlockPattern& x, BlockIndex row) {
  const std::size_t number = first_row(x, row);
  return number == x.rows.size() || x.rows[number] != row ? x.rows.size() : number;
}

/// Of the blocks of the row with that number, the one of this column, or that before which it would be.
inline Int find_column(const BlockPattern& x, std::size_t row, BlockIndex col) {
  return std::lower_bound(x.cols.begin() + x.first[row], x.cols.begin() + x.first[row + 1], col) - x.cols.begin();
}

}  // namespace cairn
