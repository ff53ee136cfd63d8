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

/// DEFINE(T, pdtrsm, PDTRSM), of solves with a triangle.
#define CAIRN_FOR_EACH_TRSM(DEFINE)           \
  DEFINE(float, pstrsm, PSTRSM)               \
  DEFINE(double, pdtrsm, PDTRSM)              \
  DEFINE(std::complex<float>, pctrsm, PCTRSM) \
  DEFINE(std::complex<double>, pztrsm, PZTRSM)

/// DEFINE(T, pdpotrf, PDPOTRF), of Cholesky factorisations.
#define CAIRN_FOR_EACH_POTRF(DEFINE)            \
  DEFINE(float, pspotrf, PSPOTRF)               \
  DEFINE(double, pdpotrf, PDPOTRF)              \
  DEFINE(std::complex<float>, pcpotrf, PCPOTRF) \
  DEFINE(std::complex<double>, pzpotrf, PZPOTRF)

/// DEFINE(T, pdpotrs, PDPOTRS), of solves with a Cholesky factor.
#define CAIRN_FOR_EACH_POTRS(DEFINE)            \
  DEFINE(float, pspotrs, PSPOTRS)               \
  DEFINE(double, pdpotrs, PDPOTRS)              \
  DEFINE(std::complex<float>, pcpotrs, PCPOTRS) \
  DEFINE(std::complex<double>, pzpotrs, PZPOTRS)

/// What compilers make of a Fortran name: DEFINE(spelling) for gfortran, ifx and flang; IBM XL and C; Cray; Windows.
#define CAIRN_FOR_EACH_SPELLING(DEFINE, lower, UPPER) \
  DEFINE(lower##_)                                    \
  DEFINE(lower)                                       \
  DEFINE(UPPER)                                       \
  DEFINE(UPPER##_)
