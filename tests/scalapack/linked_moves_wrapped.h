/* For linked_moves.c: ScaLAPACK's names, of which the linker makes Cairn's; and its own as __real_pdtran_. */
#pragma once
#include <string.h>

#define OURS(name) name##_
#define GEMR2D_IN_FORTRAN(name)                                                                                     \
  void name(const int*, const int*, const void*, const int*, const int*, const int*, void*, const int*, const int*, \
            const int*, const int*);
#define GEMR2D_IN_C(name) void name(int, int, const void*, int, int, const int*, void*, int, int, const int*, int);
#define DECLARE_GEMR2D(T, name)       \
  GEMR2D_IN_FORTRAN(name##_)          \
  GEMR2D_IN_FORTRAN(__real_##name##_) \
  GEMR2D_IN_C(C##name)                \
  GEMR2D_IN_C(__real_C##name)
FOR_EACH_GEMR2D(DECLARE_GEMR2D)
#define TRAN(name)                                                                                                    \
  void name(const int*, const int*, const void*, const void*, const int*, const int*, const int*, const void*, void*, \
            const int*, const int*, const int*);
#define DECLARE_TRAN(T, name, op) TRAN(name##_) TRAN(__real_##name##_)
FOR_EACH_TRAN(DECLARE_TRAN)

#define COMPARE_GEMR2D(T, name)                                                        \
  static T again[MOST];                                                                \
  __real_##name##_(&m, &n, a, &one, &one, desc_a, again, &one, &one, desc_b, &column); \
  expect(memcmp(b, again, sizeof b) == 0, #name, "not what ScaLAPACK's own does");     \
  memset(b, 0, sizeof b);                                                              \
  C##name(M, N, a, 1, 1, desc_a, b, 1, 1, desc_b, column);                             \
  expect(memcmp(b, again, sizeof b) == 0, "C" #name, "not what ScaLAPACK's own does"); \
  memset(again, 0, sizeof again);                                                      \
  __real_C##name(M, N, a, 1, 1, desc_a, again, 1, 1, desc_b, column);                  \
  expect(memcmp(b, again, sizeof b) == 0, "C" #name, "not what ScaLAPACK's own in C does");
#define COMPARE_TRAN(T, name)                                                                \
  static T again[MOST];                                                                      \
  for (int i = 0; i < MOST; ++i) again[i] = 1;                                               \
  __real_##name##_(&m, &n, &alpha, a, &one, &one, desc_a, &beta, again, &one, &one, desc_c); \
  expect(memcmp(c, again, sizeof c) == 0, #name, "not what ScaLAPACK's own does");
