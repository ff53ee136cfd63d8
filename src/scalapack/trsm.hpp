// p?trsm as a call: its arguments, and Cairn's routine for it.
#pragma once
#include "scalapack/names.hpp"

namespace cairn::scalapack {

/// The arguments of p?trsm, as Fortran passes them.
template <class T>
struct TrsmCall {
  const char *side, *uplo, *trans, *diag;
  const int *m, *n;
  const T* alpha;
  const T* A;
  const int *ia, *ja, *desc_a;
  T* B;
  const int *ib, *jb, *desc_b;
};

/// Types of the arguments of p?trsm, in their order.
#define CAIRN_TRSM_ARGUMENTS(T)                                                                                        \
  const char *side, const char *uplo, const char *trans, const char *diag, const int *m, const int *n, const T *alpha, \
      const T *A, const int *ia, const int *ja, const int *desc_a, T *B, const int *ib, const int *jb,                 \
      const int *desc_b
#define CAIRN_TRSM_NAMES side, uplo, trans, diag, m, n, alpha, A, ia, ja, desc_a, B, ib, jb, desc_b

/// X of op(sub(A))·X = alpha·sub(B), or of X·op(sub(A)) = alpha·sub(B), in the place of sub(B), m × n, with all of
/// ScaLAPACK's contract. What is not worth it, or cannot be done, is handed to the program's ScaLAPACK. Collective over
/// the grid of the matrices' context.
template <class T>
void trsm(const TrsmCall<T>& call);

}  // namespace cairn::scalapack
