// p?gemr2d as a call: its arguments, and Cairn's routine for it.
#pragma once
#include "scalapack/names.hpp"

namespace cairn::scalapack {

/// The arguments of Cp?gemr2d, C's way of calling it.
template <class T>
struct Gemr2dCall {
  int m, n;
  const T* A;
  int ia, ja;
  const int* desc_a;
  T* B;
  int ib, jb;
  const int* desc_b;
  int context;
};

/// Types of the arguments in Fortran and in C, in their order.
#define CAIRN_GEMR2D_ARGUMENTS(T)                                                                               \
  const int *m, const int *n, const T *A, const int *ia, const int *ja, const int *desc_a, T *B, const int *ib, \
      const int *jb, const int *desc_b, const int *context
#define CAIRN_GEMR2D_BY_REFERENCE *m, *n, A, *ia, *ja, desc_a, B, *ib, *jb, desc_b, *context
#define CAIRN_CGEMR2D_ARGUMENTS(T) \
  int m, int n, const T *A, int ia, int ja, const int *desc_a, T *B, int ib, int jb, const int *desc_b, int context
#define CAIRN_CGEMR2D_NAMES m, n, A, ia, ja, desc_a, B, ib, jb, desc_b, context

/// sub(B) = sub(A), m × n, between any two grids of the context's processes, with all of ScaLAPACK's contract: on
/// processes that are not in the grid of a matrix, its descriptor's context is -1 and the rest is not looked at.
/// Collective over the context.
template <class T>
void gemr2d(const Gemr2dCall<T>& call);

}  // namespace cairn::scalapack
