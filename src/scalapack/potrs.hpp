// p?potrs as a call: its arguments, and Cairn's routine for it.
#pragma once
#include "scalapack/names.hpp"

namespace cairn::scalapack {

/// The arguments of p?potrs, as Fortran passes them.
template <class T>
struct PotrsCall {
  const char* uplo;
  const int *n, *nrhs;
  const T* A;
  const int *ia, *ja, *desc_a;
  T* B;
  const int *ib, *jb, *desc_b;
  int* info;
};

/// Types of the arguments of p?potrs, in their order.
#define CAIRN_POTRS_ARGUMENTS(T)                                                                                      \
  const char *uplo, const int *n, const int *nrhs, const T *A, const int *ia, const int *ja, const int *desc_a, T *B, \
      const int *ib, const int *jb, const int *desc_b, int *info
#define CAIRN_POTRS_NAMES uplo, n, nrhs, A, ia, ja, desc_a, B, ib, jb, desc_b, info

/// Solves with the factor that p?potrf left. The checks, with all of their codes, are those of the program's ScaLAPACK,
/// and so are its two calls of p?trsm, which come to Cairn. Collective over the grid of the matrices' context.
template <class T>
void potrs(const PotrsCall<T>& call);

}  // namespace cairn::scalapack
