// The one table of what this library offers in ScaLAPACK's place: element type, name, and what the name means.
#pragma once
#include <complex>

/// DEFINE(T, pdgemm, PDGEMM) for every element type.
#define CAIRN_FOR_EACH_GEMM(DEFINE)           \
  DEFINE(float, psgemm, PSGEMM)               \
  DEFINE(double, pdgemm, PDGEMM)              \
  DEFINE(std::complex<float>, pcgemm, PCGEMM) \
  DEFINE(std::complex<double>, pzgemm, PZGEMM)

/// DEFINE(T, pdgemr2d, PDGEMR2D), where int is ScaLAPACK's INTEGER; C programs call Cpdgemr2d.
#define CAIRN_FOR_EACH_GEMR2D(DEFINE)              \
  DEFINE(float, psgemr2d, PSGEMR2D)                \
  DEFINE(double, pdgemr2d, PDGEMR2D)               \
  DEFINE(std::complex<float>, pcgemr2d, PCGEMR2D)  \
  DEFINE(std::complex<double>, pzgemr2d, PZGEMR2D) \
  DEFINE(int, pigemr2d, PIGEMR2D)

/// DEFINE(T, op, pdtran, PDTRAN) for every transposition.
#define CAIRN_FOR_EACH_TRAN(DEFINE)                         \
  DEFINE(float, transpose, pstran, PSTRAN)                  \
  DEFINE(double, transpose, pdtran, PDTRAN)                 \
  DEFINE(std::complex<float>, transpose, pctranu, PCTRANU)  \
  DEFINE(std::complex<float>, adjoint, pctranc, PCTRANC)    \
  DEFINE(std::complex<double>, transpose, pztranu, PZTRANU) \
  DEFINE(std::complex<double>, adjoint, pztranc, PZTRANC)

/// What compilers make of a Fortran name: DEFINE(spelling) for gfortran, ifx and flang; IBM XL and C; Cray; Windows.
#define CAIRN_FOR_EACH_SPELLING(DEFINE, lower, UPPER) \
  DEFINE(lower##_)                                    \
  DEFINE(lower)                                       \
  DEFINE(UPPER)                                       \
  DEFINE(UPPER##_)
