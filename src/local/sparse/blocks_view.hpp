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

/// The number of a block row among those that hold a block; how many these are if it holds none.
inline std::size_t find_row(const BlockPattern& x, BlockIndex row) {
  const auto found = std::lower_bound(x.rows.begin(), x.rows.end(), row);
  return found == x.rows.end() || *found != row ? x.rows.size() : static_cast<std::size_t>(found - x.rows.begin());
}

/// Of the blocks of the row with that number, the one of this column, or that before which it would be.
inline Int find_column(const BlockPattern& x, std::size_t row, BlockIndex col) {
  return std::lower_bound(x.cols.begin() + x.first[row], x.cols.begin() + x.first[row + 1], col) - x.cols.begin();
}

}  // namespace cairn
