// Matrices where the caller holds them, cut along the axes of a grid, of which rounds are gathered or summed.
#pragma once
#include "algorithms/operands.hpp"

namespace cairn {

/// The rows of a matrix, or its columns.
enum class RowsOrCols : std::uint8_t { rows, cols };
inline Dim& dim_of(Layout& l, RowsOrCols side) { return side == RowsOrCols::rows ? l.rows : l.cols; }
inline const Dim& dim_of(const Layout& l, RowsOrCols side) { return side == RowsOrCols::rows ? l.rows : l.cols; }

/// Where a matrix lies that stays, and the axes that cut its rows and its columns.
struct Staying {
  Layout layout;
  int i, j;
};

/// The caller's matrix as one that stays: if it lies on a grid of two axes, its rows cut along at most one of them and
/// its columns along at most the other. Where an axis does not cut it, it is cut evenly here: nobody multiplies twice.
/// Rows or columns in one block are uncut, and the matrix lives where that block does.
std::optional<Staying> staying(const Seen& held);

struct Held {
  Builder& s;
  Int ranks;                         ///< of the communicator
  Int b;                             ///< indices of a round
  std::vector<Layout::Where> where;  ///< of the matrix that stays: everything else lives there, too

  /// Where an operand lies whose `side`, given uncut, may be cut along `axis` or not at all, while the other is cut as
  /// given: where the caller has it, if it lies so. Else whole along the axis if there is one round, which is then
  /// the round that is gathered, and cut so that each rank has an even part of each round if there are more.
  Layout operand(const Seen& held, const Dim& rows, const Dim& cols, RowsOrCols side, int axis) const {
    return laid(held, rows, cols, side, axis, false);
  }
  /// The same for a sum over the axis, of which each rank along it keeps a part.
  Layout sum(const Seen& held, const Dim& rows, const Dim& cols, RowsOrCols side, int axis) const {
    return laid(held, rows, cols, side, axis, true);
  }

  /// Round r of one side: what a rank has of it, a view; gathered along the axis; and room for a term of it.
  Slot part(Slot x, RowsOrCols side, Range r) const;
  Slot gather(Slot x, RowsOrCols side, Range r, int axis, Here at = Here::current()) const;
  Slot term(Slot sum, RowsOrCols side, Range r, int axis) const;
  /// Round r of `sum` += Σ over the axis of its terms; nothing where `term` is that round itself.
  void add_up(Slot term, Slot sum, RowsOrCols side, Range r, int axis, Here at = Here::current()) const;

  /// Whether, instead, ranks can multiply with what one owner of B's rows has at a time, in as many turns as there are
  /// ranks along i: a round is as long as that, and not all there is; the columns of A are dealt alike along j, or each
  /// rank has them all. Every rank has another owner's turn, and nothing needs to be put together.
  bool in_turns(Slot A, int j, Slot B, int i) const;
  Slot rows_in_turn(Slot B, int i, int j, Int t, Here at = Here::current()) const;
  Slot cols_in_turn(Slot A, int j, Slot B, Int t, Here at = Here::current()) const;

 private:
  bool alone(int axis) const;  ///< whether ranks have nobody to share with along it
  /// With `cut`, the side must be cut along the axis.
  Layout laid(const Seen& held, const Dim& rows, const Dim& cols, RowsOrCols side, int axis, bool cut) const;
  /// Round r of one side that is not cut, or that a rank has alone.
  Slot whole_part(Slot x, RowsOrCols side, Range r) const {
    return side == RowsOrCols::rows ? s.part(x, r, s.all) : s.part(x, s.all, r);
  }
  Affine turn(int j, Int t) const;
  How how(const Layout& l, RowsOrCols side, Range r, int axis) const;
  bool one_round(const Dim& dim) const { return b >= dim.extent.size(); }
  Dim even(Dim dim, int axis) const;
  bool may_stay(const Dim& dim, int axis) const;
  std::optional<Layout> as_held(const Seen& held, Layout l, RowsOrCols side, int axis, bool cut) const;
};

}  // namespace cairn
