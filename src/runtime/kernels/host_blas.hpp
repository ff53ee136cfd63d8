// How local blocks multiply and move: CBLAS, and one strided update.
#pragma once
#include "cairn/matrix.hpp"
#include "cairn/types.hpp"

namespace cairn {

/// C = alpha·A·B + beta·C with A m × k, B k × n, C m × n in any storage orders; beta = 0 does not read C. An operand
/// that is conjugated must be stored in another order than C.
template <class T>
void local_gemm(T alpha, MatrixView<const T> A, MatrixView<const T> B, T beta, MatrixView<T> C,
                bool conjugate_a = false, bool conjugate_b = false);

/// A block of elements `down` rows apart by `rs` words and `across` columns apart by `cs`.
template <class T>
struct Strided {
  T* data;
  Int rs, cs;
};

/// dst = src + beta·dst, element by element; beta = 0 does not read dst.
template <class T>
void update_block(Int rows, Int cols, Strided<T> dst, Strided<const T> src, T beta);

}  // namespace cairn
