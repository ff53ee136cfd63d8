// p?gemr2d as a call: its arguments, and Cairn's routine for it.
#pragma once
#include <cstdint>

#include "scalapack/names.hpp"

namespace cairn::scalapack {

/// The arguments of Cp?gemr2d, C's way of calling it.
template <class T, class Integer = int>
struct Gemr2dCall {
  Integer m, n;
  const T* A;
  Integer ia, ja;
  const int* desc_a;
  T* B;
  Integer ib, jb;
  const int* desc_b;
  Integer context;
};

/// Types of the arguments in Fortran and in C, in their order.
#define CAIRN_GEMR2D_ARGUMENTS(T)                                                                               \
  const int *m, const int *n, const T *A, const int *ia, const int *ja, const int *desc_a, T *B, const int *ib, \
      const int *jb, const int *desc_b, const int *context
#define CAIRN_GEMR2D_NAMES m, n, A, ia, ja, desc_a, B, ib, jb, desc_b, context
#define CAIRN_CGEMR2D_ARGUMENTS(T, Integer)                                                                  \
  Integer m, Integer n, const T *A, Integer ia, Integer ja, const int *desc_a, T *B, Integer ib, Integer jb, \
      const int *desc_b, Integer context

/// sub(B) = sub(A), m × n, between any two grids of the context's processes, with all of ScaLAPACK's contract: on
/// processes that are not in the grid of a matrix, its descriptor's context is -1 and the rest is not looked at.
/// Collective over the context.
template <class T>
void gemr2d(const Gemr2dCall<T>& call);

/// The same as Fortran calls it and as C does, whatever the length of the program's integers: an integer that is passed
/// by value takes as much room as a pointer does, of which a shorter one leaves the rest undefined.
template <class T>
void gemr2d_from_fortran(CAIRN_GEMR2D_ARGUMENTS(T));
template <class T>
void gemr2d_from_c(CAIRN_CGEMR2D_ARGUMENTS(T, std::intptr_t));

}  // namespace cairn::scalapack
