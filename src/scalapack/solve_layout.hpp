// How A and B of a call of p?trsm lie, and by which algorithm they are solved with as they do.
#pragma once
#include <optional>
#include <string>

#include "scalapack/check.hpp"
#include "scalapack/rotation.hpp"

namespace cairn::scalapack {

/// `trsm`, or `trsm_lazy` where A is transposed, solves where B is, whatever blocks its right-hand sides are dealt in;
/// and does not move A, if its blocks are those of B along the order and begin at the same rank.
class SolveLayout {
 public:
  SolveLayout(const ProcessGrid& grid, Side side, bool as_stored, const MatrixArgument& a, const MatrixArgument& b);

  /// Whether both stay.
  bool fit() const { return fit_; }
  /// Size of the algorithm's blocks, if B stays; otherwise 0.
  Int block() const { return block_; }
  /// Whether ranks hold copies of B, all of which must become X.
  bool copies_of_b() const { return copies_of_b_; }
  /// What Options::algorithm is to be.
  std::string algorithm() const;
  Labels labels() const { return rotation_.labels(grid_); }
  /// Over positions: A if it does not stay, and B.
  std::optional<Layout> a_to_move() const;
  Layout b() const { return layout(b_); }

 private:
  Layout layout(const MatrixArgument& x) const { return rotation_.layout(x.desc, x.i, x.j, x.rows, x.cols, grid_); }

  const ProcessGrid& grid_;
  const MatrixArgument &a_, &b_;
  Rotation rotation_;
  bool as_stored_;
  Int block_ = 0;
  bool fit_ = false, copies_of_b_ = false;
};

}  // namespace cairn::scalapack
