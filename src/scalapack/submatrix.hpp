// A submatrix of a call as Cairn's API takes it, and whether it may be moved.
#pragma once
#include "cairn/matrix.hpp"
#include "scalapack/descriptor.hpp"

namespace cairn::scalapack {

/// The part that the process at grid.row, grid.col holds of a submatrix from (i, j) on; `layout` is that of the whole
/// submatrix, in which this process is `rank`. `data` is only written to if the matrix that is returned is.
template <class T>
DistMatrix<T> borrow(const T* data, const Descriptor& d, Int i, Int j, const Layout& layout, const ProcessGrid& grid,
                     int rank) {
  if (!data || layout.words(rank) == 0) return DistMatrix<T>::borrow(layout, rank, nullptr, 0, d.lld);
  const Int rows = layout.rows.size(layout.grid, rank), cols = layout.cols.size(layout.grid, rank);
  T* const first = const_cast<T*>(data) + offset_of(d, i, j, grid);
  return DistMatrix<T>::borrow(layout, rank, first, (cols - 1) * d.lld + rows, d.lld);
}

/// Whether no rank holds more than CAIRN_MEMORY while op(A) changes from layout `a` to `b`. Collective.
bool fits_memory(const Comm& comm, Op op, const Layout& a, const Layout& b, ScalarType type);

}  // namespace cairn::scalapack
