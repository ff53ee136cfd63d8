// Block-sparse matrices: sizes of blocks, where they live, and those of one rank.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "cairn/types.hpp"

namespace cairn {

using BlockIndex = std::int32_t;  ///< of a block row or column, from 0

/// Rows of every block row of a matrix, or columns of every block column. Zero is a size, too.
using BlockSizes = std::vector<BlockIndex>;

/// "symmetric", "Hermitian".
const char* name_of(Symmetry symmetry);

/// Block rows or columns from `from` to before `to`.
struct BlockRange {
  BlockIndex from = 0, to = 0;
  bool has(BlockIndex i) const { return from <= i && i < to; }
  bool operator==(const BlockRange&) const = default;
};

/// Which rank holds which block: block (i, j) lies on row row[i] and column col[j] of a grid of pr × pc ranks.
struct BlockDistribution {
  Int pr = 1, pc = 1;
  std::vector<BlockIndex> row, col;
  bool row_major = true;  ///< ranks are numbered along the rows of the grid

  /// Block rows and columns in random order, dealt round over the grid. Dimensions of as many blocks are dealt alike:
  /// matrices that are dealt so can be multiplied where they are. Throws ArgumentError for a negative number of blocks,
  /// a grid without ranks, and numbers beyond 2^31 - 1.
  static BlockDistribution dealt(Int block_rows, Int block_cols, Int pr, Int pc);
  /// On a grid of all ranks, as square as possible.
  static BlockDistribution dealt(Int block_rows, Int block_cols, Int ranks);
  /// Of square matrices whose block rows belong to places in space, as to atoms: what is near each other lies together,
  /// in regions of as many blocks each. On P x 1 ranks, or 1 x P, regions are compact; on other grids block rows are
  /// cut into slabs along one of the two longest axes of the box that holds all places, and block columns along the
  /// other, so that ranks have as much to do where places are spread evenly over both: chains want P x 1. Where only
  /// blocks of near places are there, much of A·B meets nothing and does not travel. Throws ArgumentError for places
  /// that are not finite, and as dealt does.
  static BlockDistribution by_region(const std::vector<std::array<double, 3>>& places, Int pr, Int pc);
  static BlockDistribution by_region(const std::vector<std::array<double, 3>>& places, Int ranks);

  Int ranks() const { return pr * pc; }
  Int rank(Int i, Int j) const { return row_major ? i * pc + j : i + j * pr; }
  Int owner(BlockIndex i, BlockIndex j) const {
    return rank(row[static_cast<std::size_t>(i)], col[static_cast<std::size_t>(j)]);
  }
  BlockDistribution transposed() const { return {pc, pr, col, row, !row_major}; }
  bool operator==(const BlockDistribution&) const = default;
};

/// Which blocks one rank has, and where each lies: block rows, compressed.
struct BlockPattern {
  std::shared_ptr<const BlockSizes> row_sizes, col_sizes;  ///< of the whole matrix

  std::vector<BlockIndex> rows;  ///< block rows that hold a block, ascending
  std::vector<Int> first{0};     ///< blocks of rows[i] are those from first[i] to before first[i + 1]
  std::vector<BlockIndex> cols;  ///< block column of each block, ascending in a row
  std::vector<Int> at;           ///< where among the values each block begins, in any order

  /// One more block after all others: in the last row, or in one after that. Its values begin at `place`.
  void append(BlockIndex row, BlockIndex col, Int place) {
    if (rows.empty() || rows.back() != row) rows.push_back(row), first.push_back(first.back());
    ++first.back();
    cols.push_back(col), at.push_back(place);
  }
  Int blocks() const { return static_cast<Int>(cols.size()); }
  Int height(BlockIndex row) const { return (*row_sizes)[static_cast<std::size_t>(row)]; }
  Int width(BlockIndex col) const { return (*col_sizes)[static_cast<std::size_t>(col)]; }
};

/// Memory of elements that are written before they are read: what a vector is resized by is not set to zero.
template <class T>
struct LeftUnset : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = LeftUnset<U>;
  };
  LeftUnset() = default;
  template <class U>
  LeftUnset(const LeftUnset<U>&) noexcept {}
  template <class U>
  void construct(U*) noexcept {}
};

template <class T>
using BlockValues = std::vector<T, LeftUnset<T>>;

/// Blocks of one rank. Elements of a block lie by columns, without gaps between them or after them.
template <class T>
struct Blocks : BlockPattern {
  BlockValues<T> values;
};

/// f(i, j, number of the block) for every block, row by row.
template <class F>
void for_each(const BlockPattern& x, F f) {
  for (std::size_t r = 0; r < x.rows.size(); ++r)
    for (Int b = x.first[r]; b < x.first[r + 1]; ++b) f(x.rows[r], x.cols[static_cast<std::size_t>(b)], b);
}

}  // namespace cairn
