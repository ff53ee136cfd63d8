// p?potrf as a call: its arguments, and Cairn's routine for it.
#pragma once
#include "scalapack/names.hpp"

namespace cairn::scalapack {

/// The arguments of p?potrf, as Fortran passes them.
template <class T>
struct PotrfCall {
  const char* uplo;
  const int* n;
  T* A;
  const int *ia, *ja, *desc_a;
  int* info;
};

/// Types of the arguments of p?potrf, in their order.
#define CAIRN_POTRF_ARGUMENTS(T) \
  const char *uplo, const int *n, T *A, const int *ia, const int *ja, const int *desc_a, int *info
#define CAIRN_POTRF_NAMES uplo, n, A, ia, ja, desc_a, info

/// The Cholesky factor of sub(A), n × n, in the place of one of its triangles, with all of ScaLAPACK's contract, but
/// that a pivot which is no number is not taken for a positive one. What is not worth it, or wrong, is handed to the
/// program's ScaLAPACK. Collective over the grid of the matrix' context.
template <class T>
void potrf(const PotrfCall<T>& call);

}  // namespace cairn::scalapack
