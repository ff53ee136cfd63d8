// p?gemm as a call: its arguments, and what Cairn does with them.
#pragma once
#include "scalapack/names.hpp"

namespace cairn::scalapack {

/// The arguments of p?gemm, as Fortran passes them.
template <class T>
struct GemmCall {
  const char *trans_a, *trans_b;
  const int *m, *n, *k;
  const T* alpha;
  const T* A;
  const int *ia, *ja, *desc_a;
  const T* B;
  const int *ib, *jb, *desc_b;
  const T* beta;
  T* C;
  const int *ic, *jc, *desc_c;
};

/// Types of the arguments of p?gemm, in their order.
#define CAIRN_GEMM_ARGUMENTS(T)                                                                                     \
  const char *trans_a, const char *trans_b, const int *m, const int *n, const int *k, const T *alpha, const T *A,   \
      const int *ia, const int *ja, const int *desc_a, const T *B, const int *ib, const int *jb, const int *desc_b, \
      const T *beta, T *C, const int *ic, const int *jc, const int *desc_c
#define CAIRN_GEMM_NAMES trans_a, trans_b, m, n, k, alpha, A, ia, ja, desc_a, B, ib, jb, desc_b, beta, C, ic, jc, desc_c

/// sub(C) = alpha·op(sub(A))·op(sub(B)) + beta·sub(C), with all of ScaLAPACK's contract. What is not worth it, or
/// cannot be done, is handed to the program's ScaLAPACK. Collective over the grid of the matrices' context.
template <class T>
void gemm(const GemmCall<T>& call);

}  // namespace cairn::scalapack
