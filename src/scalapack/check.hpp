// PBLAS's checks of arguments, to the last code [scalapack PBLAS/SRC/PTOOLS/PB_Cchkmat.c; p?gemm_.c].
#pragma once
#include <string>

#include "scalapack/descriptor.hpp"

namespace cairn::scalapack {

/// An argument: its place in the call, and for a descriptor the place in it, both from 1; otherwise entry 0.
struct Place {
  int argument, entry = 0;
};

/// Collects what is wrong with a call. The one that comes first in the list of arguments counts.
class Findings {
 public:
  Findings(int context, const char* routine) : context_(context), routine_(routine) {}
  /// `message` is printed at once, as PBLAS does.
  void add(Place place, const std::string& message);
  int context() const { return context_; }
  bool none() const { return least_ == 0; }
  /// 0, -argument or -(argument·100 + entry).
  int info() const;
  /// If there are findings: PB_Cabort with info(), and true where that returns.
  bool abort() const;

 private:
  int context_;
  const char* routine_;
  int least_ = 0;  ///< argument·100 + entry of the first; 0: none
};

/// A submatrix as an argument: rows × cols elements from (i, j) on, i and j from 0.
struct MatrixArgument {
  const char* name;  ///< "A"
  Int rows;
  int rows_at;  ///< place of the number of rows in the call
  Int cols;
  int cols_at;
  Int i, j;  ///< their places are the two before the descriptor's
  Descriptor desc;
  int desc_at;
};

/// Checks one matrix of a call on `context`, whose grid is `grid`, against what the calling process can see.
void check_matrix(Findings& findings, const MatrixArgument& x, int context, const ProcessGrid& grid);

}  // namespace cairn::scalapack
