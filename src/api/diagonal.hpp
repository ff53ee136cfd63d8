// The diagonal of a square matrix, where a rank holds it.
#pragma once
#include <algorithm>
#include <limits>
#include <vector>

#include "cairn/matrix.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn {

class Diagonal {
 public:
  /// Of rank's part; found once, since a layout may have many pieces.
  Diagonal(const Layout& layout, Int rank);

  /// The number of A's first element that is such a one, from 1, or 0 if there is none: LAPACK's INFO. Collective.
  template <class T, class Is>
  Int first(const Comm& comm, const DistMatrix<T>& A, Is is) const {
    constexpr Int none = std::numeric_limits<Int>::max();
    Int first = none;
    for (const Place& x : places_)
      if (is(A.data()[x.offset + x.line * (x.ld > 0 ? x.ld : A.ld())])) first = std::min(first, x.number);
    first = over_ranks(comm, MPI_MIN, first);
    return first == none ? 0 : first + 1;
  }

 private:
  struct Place {
    Int number;            ///< of the row and column
    Int offset, line, ld;  ///< line: the column by columns, the row by rows; ld 0: the matrix's own
  };
  std::vector<Place> places_;
};

}  // namespace cairn
