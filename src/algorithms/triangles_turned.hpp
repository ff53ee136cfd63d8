// Algorithms for triangles are written once, for a lower triangle, or one on the right. The other cases are the same of
// the transposed matrices: what they call rows and columns trade places, and so do the factors of a product.
#pragma once
#include "algorithms/triangular.hpp"
#include "schedule/builder.hpp"

namespace cairn {

/// A Builder of block-cyclic matrices as they are seen, turned or not. Its grid has axes for the rows, for the columns
/// and for layers, of which each has a share of the columns: blocks of columns are dealt to columns and layers of ranks
/// as to one line of ranks.
class Turned {
 public:
  const bool turned;
  const Int b;             ///< size of a block
  const Int layers, wide;  ///< and of `layers` blocks
  const int r, c, l;       ///< axes
  Builder s;

  Turned(std::string spelling, Problem problem, bool transposed, Int pr, Int pc, Int L, Int block, Int ranks);
  /// The same grid in each of several layers, one behind the other, of which none has blocks of its own.
  struct Copies {
    Int pr, pc, number;
  };
  Turned(std::string spelling, Problem problem, bool transposed, const Copies& grids, Int block, Int ranks);
  /// On layers of ranks in a line, to which the algorithm deals rows and columns itself.
  Turned(std::string spelling, Problem problem, bool transposed, Int line, Int L, Int block, Int ranks);

  Int extent(int axis) const { return s.grid().extent(axis); }
  /// Blocks of columns, or of rows, dealt to one axis; `wide` ones to the columns of ranks, and their blocks to layers.
  Dim by_rows(Int n) const { return by_rows(n, b); }
  Dim by_rows(Int n, Int block) const { return {{0, n}, {dealt(r, block)}}; }
  Dim by_cols(Int n) const { return {{0, n}, {dealt(c, wide)}}; }
  Dim over_layers(Dim dim) const;
  /// Blocks of rows dealt to the rows of all layers as to one line, in which `place` is a row's number.
  Dim over_all_rows(Int n, Int block, Affine place) const {
    return {{0, n}, {{Cut::Kind::cyclic, extent(r) * extent(l), std::move(place), block, block, {}}}};
  }

  Layout layout(Dim rows, Dim cols) const;
  Layout seen(Layout x) const {
    if (turned) std::swap(x.rows, x.cols);
    return x;
  }
  Slot part(Slot x, const Part& rows, const Part& cols, const std::vector<Layout::Where>& at = {}) {
    return turned ? s.part(x, cols, rows, at) : s.part(x, rows, cols, at);
  }
  Slot room_for(Slot x, Dim rows, Dim cols, SlotInfo::Role role) {
    if (turned) std::swap(rows, cols);
    return s.room_for(x, std::move(rows), std::move(cols), {}, role);
  }
  Slot bcast(Slot x, const Part& rows, const Part& cols, int axis, Affine root, Here at = Here::current()) {
    return turned ? s.bcast(x, cols, rows, axis, std::move(root), at)
                  : s.bcast(x, rows, cols, axis, std::move(root), at);
  }
  /// P[rows/r, k] of rows from `R` on, given to those whose columns are these rows: Q[rows/c, k].
  Slot down_the_columns(Slot P, Range R, Int n, Here at = Here::current()) { return down_the_columns(P, R, n, 1, at); }
  /// The same in each layer with its share of every block, of so many: Q[rows/(c, l), k].
  Slot down_the_columns(Slot P, Range R, Int n, Int shares, Here at = Here::current());
  /// The same of the few rows R, all of them, to all of the line.
  Slot along_rows(Slot P, Range R, Here at = Here::current());
  /// C -= A·op(B)
  void subtract(Slot A, Slot B, Op op, Slot C, Here at = Here::current());
  /// C = C·op(A)⁻¹
  void solve(Slot A, Op op, Diag diag, Slot C, Here at = Here::current()) {
    s.trsm(turned ? Side::left : Side::right, A, op, diag, C, at);
  }

 private:
  struct Axes {
    int rows, columns, layers;
  };
  Turned(bool transposed, Int block, Int L, Axes axes, Builder on);
  /// The first of the blocks of rows that do not go down the columns to all ranks; all `blocks` if all do.
  Int last_blocks(Int blocks) const;
  Cut dealt(int axis, Int block) const {
    return {Cut::Kind::cyclic, extent(axis), Affine::along(axis), block, block, {}};
  }
};

/// Rows of ranks whose parts of a panel a rank gets down its column, each by itself, in the mean. [decision 60]
double sources(const Panels& panels);

}  // namespace cairn
