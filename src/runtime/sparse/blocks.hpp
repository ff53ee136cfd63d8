// Blocks of a matrix that one rank holds, or some panel of it: block rows, compressed.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "cairn/types.hpp"

namespace cairn {

using BlockIndex = std::int32_t;  ///< of a block row or column, from 0

/// Rows of every block row of a matrix, or columns of every block column. Zero is a size, too.
using BlockSizes = std::vector<BlockIndex>;

/// Elements of a block lie by columns, without gaps between them or after them.
template <class T>
struct Blocks {
  std::shared_ptr<const BlockSizes> row_sizes, col_sizes;  ///< of the whole matrix

  std::vector<BlockIndex> rows;  ///< block rows that hold a block, ascending
  std::vector<Int> first{0};     ///< blocks of rows[i] are those from first[i] to before first[i + 1]
  std::vector<BlockIndex> cols;  ///< block column of each block, ascending in a row
  std::vector<Int> at;           ///< where in `values` each block begins, in any order
  std::vector<T> values;

  Int blocks() const { return static_cast<Int>(cols.size()); }
  Int height(BlockIndex row) const { return (*row_sizes)[static_cast<std::size_t>(row)]; }
  Int width(BlockIndex col) const { return (*col_sizes)[static_cast<std::size_t>(col)]; }
};

}  // namespace cairn
