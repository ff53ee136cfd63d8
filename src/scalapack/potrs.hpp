// p?potrs as a call: its arguments.
#pragma once
#include "scalapack/names.hpp"

namespace cairn::scalapack {

/// The arguments of p?potrs, as Fortran passes them. It solves with the factor that p?potrf left, and is always the
/// program's own: the checks, with all of their codes, are ScaLAPACK's, and its two calls of p?trsm come to Cairn.
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

}  // namespace cairn::scalapack
