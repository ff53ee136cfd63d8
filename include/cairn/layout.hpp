// Layouts: which rank holds which rows and columns of a matrix, and in what order it stores them.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cairn/grid.hpp"
#include "cairn/holders.hpp"
#include "cairn/types.hpp"

namespace cairn {

/// One cut of one dimension. A cut maps every piece it is given to pieces of that piece.
struct Cut {
  enum class Kind : std::uint8_t {
    even,    ///< `parts` even pieces, keep the one numbered `index` mod `parts`     k/j, k/[i+j]%4, k/2@4
    each,    ///< `parts` even pieces, keep all, later cuts act on each of them       k/4*
    cyclic,  ///< blocks dealt in turn: keep those numbered `index` mod `parts`       k/i%b64, first block of 7:
             ///< k/i%b64.7
    bounds,  ///< pieces between given boundaries, keep the one numbered `index`      k/i{0,3,10}
    span,    ///< `parts` even pieces, keep `block` of them from `index` on, after the last one the first: k/i%s3
    group,   ///< `parts` even pieces in groups of `block`, keep the group of the one numbered `index`     k/i%g4
    classes  ///< block t is of class t mod holders.size(): keep those whose class `index` holds      k/i%b64{0,1;1;0}
  };
  Kind kind = Kind::even;
  Int parts = 1;             ///< 1 or more
  Affine index;              ///< any number, taken modulo `parts`
  Int block = 0, first = 0;  ///< cyclic, classes: size of a block, and of the first one; span, group: block pieces
  std::vector<Int> bounds;   ///< bounds: parts + 1 ascending positions, from 0 to the end of what is cut
  Holders holders{};         ///< classes
  /// even, span, group: all that earlier cuts keep is cut as if it were one piece     k/(i%b64,&j)
  bool joined = false;

  static Cut even(const Grid& grid, int axis) { return {Kind::even, grid.extent(axis), Affine::along(axis), 0, 0, {}}; }
  static Cut fixed(Int index, Int parts) { return {Kind::even, parts, Affine(index), 0, 0, {}}; }
  static Cut each(Int parts) { return {Kind::each, parts, Affine(), 0, 0, {}}; }
  static Cut numbered(Affine index, Int parts) { return {Kind::even, parts, std::move(index), 0, 0, {}}; }
  static Cut span(Affine index, Int parts, Int width) { return {Kind::span, parts, std::move(index), width, 0, {}}; }
  static Cut group(Affine index, Int parts, Int width) { return {Kind::group, parts, std::move(index), width, 0, {}}; }
  static Cut classes(const Grid& grid, int axis, Int block, Holders holders) {
    return {Kind::classes, grid.extent(axis), Affine::along(axis), block, block, {}, std::move(holders)};
  }
  /// Whether blocks are dealt in turn, by themselves or by classes.
  bool deals_blocks() const { return kind == Kind::cyclic || kind == Kind::classes; }
  bool operator==(const Cut&) const = default;
};

/// How one dimension of a matrix is cut: the interval, then the cuts in turn.
struct Dim {
  Range extent;
  std::vector<Cut> cuts;

  /// Global indices that `rank` keeps, in the order in which it stores them.
  IndexSet at(const Grid& grid, Int rank) const;
  /// at(grid, rank).size(), without listing the indices where that is possible.
  Int size(const Grid& grid, Int rank) const;
  bool operator==(const Dim&) const = default;
};

/// Rows × columns that a rank holds as one dense local array.
struct Patch {
  IndexSet rows, cols;
  Int words() const { return rows.size() * cols.size(); }
};

/// Which rows and columns every rank of a grid holds, `A[m/i, k/(l,4*,j)]`, and the storage order of its
/// local array. Ranks that the grid has not hold nothing. Where no cut and no condition uses an axis,
/// the matrix is replicated along it. One may be filled in by hand: rows and columns begin at 0, and whatever takes a
/// layout refuses one that has a problem().
struct Layout {
  /// The matrix lives only at coordinates whose index on `axis` is `index`.
  struct Where {
    int axis;
    Int index;
    bool operator==(const Where&) const = default;
  };
  /// Arbitrary blocks: block (r, c) of the given boundaries belongs to rank owner[r · (blocks across) + c].
  struct Blocks {
    std::vector<Int> row_bounds, col_bounds;  ///< ascending, from 0 to the number of rows (columns)
    std::vector<Int> owner;                   ///< ranks, row by row
    bool by_columns = false;                  ///< a rank stores its blocks column by column of blocks, not row by row
    bool operator==(const Blocks&) const = default;
  };

  Grid grid;
  Dim rows, cols;
  std::vector<Where> where;
  Order order = Order::col;
  std::shared_ptr<const Blocks> blocks;  ///< if set, the cuts are not used

  /// The whole m × n matrix on rank 0. These and the following throw ArgumentError for a negative size, no ranks, or
  /// more words than a 64-bit integer counts.
  static Layout on_one_rank(Int m, Int n, Order order = Order::col);
  /// Rows (or columns) cut evenly over `ranks` ranks.
  static Layout row_blocks(Int m, Int n, Int ranks, Order order = Order::col);
  static Layout col_blocks(Int m, Int n, Int ranks, Order order = Order::col);
  /// ScaLAPACK's two-dimensional block-cyclic layout: mb × nb blocks dealt over a row-major pr × pc grid,
  /// the first block to coordinate (rsrc, csrc). Throws ArgumentError for empty blocks or a coordinate outside.
  struct BlockCyclic {
    Int mb, nb;
    Int pr, pc;
    Int rsrc = 0, csrc = 0;
    bool row_major = true;  ///< ranks numbered along the rows of the grid, as BLACS does with 'R'
  };
  static Layout block_cyclic(Int m, Int n, const BlockCyclic& how);
  /// Arbitrary blocks; each rank stores its blocks one after another, each dense in `order`.
  /// Throws ArgumentError unless bounds ascend from 0 to m (n) and owners lie in [0, ranks).
  static Layout arbitrary(Int m, Int n, Int ranks, Blocks blocks, Order order = Order::col);

  /// What keeps it from being a matrix's, such as "rows begin at 5, expected 0": a cut that cannot be made, an axis
  /// that the grid has not. Takes as long as reading the layout.
  std::optional<std::string> problem() const;

  Int m() const { return rows.extent.size(); }
  Int n() const { return cols.extent.size(); }
  bool live(Int rank) const;
  IndexSet rows_at(Int rank) const { return live(rank) ? rows.at(grid, rank) : IndexSet(); }
  IndexSet cols_at(Int rank) const { return live(rank) ? cols.at(grid, rank) : IndexSet(); }
  /// What `rank` holds, as dense local arrays stored one after another; without arbitrary blocks at most one.
  std::vector<Patch> patches(Int rank) const;
  /// Words that `rank` holds.
  Int words(Int rank) const;
  /// Whether along `axis` the matrix is neither cut nor confined: every coordinate holds a copy.
  bool replicated(int axis) const;
  /// The first of the ranks, as the grid counts them, that hold the same as `rank`.
  Int original(Int rank) const;
  /// Whether ranks may share some of their elements and not others, as classes of blocks with several holders do.
  bool overlapping() const;

  /// The layout of the transposed matrix in the very same memory: rows and columns trade places, and so
  /// does the storage order.
  Layout transposed() const;
  /// Whether every rank holds the same elements in both (the storage order may differ).
  bool same_ownership(const Layout& other, Int ranks) const;
  bool operator==(const Layout& other) const;
};

}  // namespace cairn
