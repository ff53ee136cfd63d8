// Kernels on triangles: BLAS and LAPACK where these have them.
#pragma once
#include "cairn/matrix.hpp"
#include "model/problem.hpp"
#include "schedule/step.hpp"

namespace cairn {

/// The elements of C = alpha·A·B + beta·C that count, C square; as local_gemm.
template <class T>
void local_gemmt(Uplo shape, T alpha, MatrixView<const T> A, MatrixView<const T> B, T beta, MatrixView<T> C,
                 bool conjugate_a, bool conjugate_b);

/// C = A⁻¹·C, or C·A⁻¹ with A on the right: of A, in any storage order, only the triangle is read. A triangle that is
/// conjugated must be stored in another order than C. A unit diagonal is not read.
template <class T>
void local_trsm(Side side, Uplo shape, Diag diag, MatrixView<const T> A, bool conjugate, MatrixView<T> C);

/// The triangle of C becomes its Cholesky factor. Returns LAPACK's info: 0, or the order of the first leading minor
/// that is not positive, be it that it is no number.
template <class T>
Int local_potrf(Uplo shape, MatrixView<T> C);

/// C = factor·C. A factor of 0 does not read C, a factor of 1 leaves it as it is.
template <class T>
void local_scal(T factor, MatrixView<T> C);

}  // namespace cairn
