// How local blocks multiply: CBLAS.
#pragma once
#include <vector>

#include "cairn/matrix.hpp"
#include "cairn/types.hpp"

namespace cairn {

/// Rows and columns of a view.
template <class View>
View part(View v, Int row, Int rows, Int col, Int cols) {
  v.data += v.order == Order::col ? row + col * v.ld : row * v.ld + col;
  v.rows = rows, v.cols = cols;
  return v;
}

/// The conjugated elements of A, stored as A is but without gaps.
template <class T>
std::vector<T> conjugated_copy(MatrixView<const T> A);

/// C = alpha·op(A)·op(B) + beta·C, where op may conjugate, with op(A) m × k, op(B) k × n, C m × n in any storage
/// orders; beta = 0 does not read C. An operand that is conjugated and stored in C's order is copied, some columns or
/// rows at a time.
template <class T>
void local_gemm(T alpha, MatrixView<const T> A, MatrixView<const T> B, T beta, MatrixView<T> C,
                bool conjugate_a = false, bool conjugate_b = false);

}  // namespace cairn
