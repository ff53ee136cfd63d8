// The one table of what this library offers in ScaLAPACK's place: element type, name, and what the name means.
#pragma once
#include <complex>

/// DEFINE(T, pdgemm, PDGEMM) for every element type.
#define CAIRN_FOR_EACH_GEMM(DEFINE)           \
  DEFINE(float, psgemm, PSGEMM)               \
  DEFINE(double, pdgemm, PDGEMM)              \
  DEFINE(std::complex<float>, pcgemm, PCGEMM) \
  DEFINE(std::complex<double>, pzgemm, PZGEMM)

/// What compilers make of a Fortran name: DEFINE(spelling) for gfortran, ifx and flang; IBM XL and C; Cray; Windows.
#define CAIRN_FOR_EACH_SPELLING(DEFINE, lower, UPPER) \
  DEFINE(lower##_)                                    \
  DEFINE(lower)                                       \
  DEFINE(UPPER)                                       \
  DEFINE(UPPER##_)
