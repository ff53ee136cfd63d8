// ScaLAPACK's array descriptors, and the submatrix that a call names, as a layout and a place in memory.
#pragma once
#include "cairn/layout.hpp"
#include "scalapack/blacs.hpp"

namespace cairn::scalapack {

/// An array descriptor of type 2 (BLOCK_CYCLIC_2D_INB), as which PBLAS sees those of type 1 too.
struct Descriptor {
  static constexpr int type_1 = 1, type_2 = 2;
  int type = 0, context = -1;
  Int m = 0, n = 0;
  Int imb = 1, inb = 1;    ///< rows and columns of the first block
  Int mb = 1, nb = 1;      ///< of all others
  int rsrc = 0, csrc = 0;  ///< grid row and column of the first block; -1: every one holds all
  Int lld = 1;

  bool known() const { return type == type_1 || type == type_2; }
};

/// Of an unknown type only type and context are read.
Descriptor parse_descriptor(const int* desc);

/// One dimension: blocks dealt in turn.
struct Dealt {
  Int first, block;  ///< sizes of the first block and of all others
  int src;           ///< who holds the first one; -1: everybody holds all
  int parts;

  bool everywhere() const { return src == -1 || parts == 1; }
  /// How many of the first `extent` indices `part` holds [ScaLAPACK TOOLS/numroc.f].
  Int count(Int extent, int part) const;
  /// The same dealing, seen from index `start` on.
  Dealt from(Int start) const;
};
Dealt rows_of(const Descriptor& d, const ProcessGrid& grid);
Dealt cols_of(const Descriptor& d, const ProcessGrid& grid);

/// sub(X) = X(i : i+m-1, j : j+n-1), i and j from 0, as a layout over the grid's rows `pr` and columns `pc`.
Layout layout_of(const Descriptor& d, Int i, Int j, Int m, Int n, const ProcessGrid& grid);

/// An m × n matrix whose rows and columns are dealt so, likewise.
Layout layout_of(const Dealt& rows, Int m, const Dealt& cols, Int n, const ProcessGrid& grid);

/// Where the calling process's first element at or after row i and column j is in its local array.
Int offset_of(const Descriptor& d, Int i, Int j, const ProcessGrid& grid);

}  // namespace cairn::scalapack
