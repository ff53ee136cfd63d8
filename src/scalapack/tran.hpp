// p?tran, p?tranu and p?tranc as calls: their arguments, and Cairn's routine for them.
#pragma once
#include "cairn/types.hpp"
#include "scalapack/names.hpp"

namespace cairn::scalapack {

/// The arguments of p?tran, as Fortran passes them.
template <class T, Op op>
struct TranCall {
  const int *m, *n;
  const T* alpha;
  const T* A;
  const int *ia, *ja, *desc_a;
  const T* beta;
  T* C;
  const int *ic, *jc, *desc_c;
};

/// Types of the arguments of p?tran, in their order.
#define CAIRN_TRAN_ARGUMENTS(T)                                                                            \
  const int *m, const int *n, const T *alpha, const T *A, const int *ia, const int *ja, const int *desc_a, \
      const T *beta, T *C, const int *ic, const int *jc, const int *desc_c
#define CAIRN_TRAN_NAMES m, n, alpha, A, ia, ja, desc_a, beta, C, ic, jc, desc_c

/// sub(C) = alpha·op(sub(A)) + beta·sub(C), with all of ScaLAPACK's contract, sub(C) m × n. Collective over the grid of
/// the matrices' context.
template <class T, Op op>
void tran(const TranCall<T, op>& call);

}  // namespace cairn::scalapack
