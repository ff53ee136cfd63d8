// The one table of what this library offers in ScaLAPACK's place: element type, name, and what the name means.
#pragma once
#include <complex>

/// DEFINE(T, pdgemm, PDGEMM) for every element type; `name` is gemm.
#define CAIRN_OF_FOUR_TYPES(DEFINE, name, NAME)   \
  DEFINE(float, ps##name, PS##NAME)               \
  DEFINE(double, pd##name, PD##NAME)              \
  DEFINE(std::complex<float>, pc##name, PC##NAME) \
  DEFINE(std::complex<double>, pz##name, PZ##NAME)

/// DEFINE(T, pdgemm, PDGEMM), of products.
#define CAIRN_FOR_EACH_GEMM(DEFINE) CAIRN_OF_FOUR_TYPES(DEFINE, gemm, GEMM)

/// DEFINE(T, pdgemr2d, PDGEMR2D), where int is ScaLAPACK's INTEGER; C programs call Cpdgemr2d.
#define CAIRN_FOR_EACH_GEMR2D(DEFINE)         \
  CAIRN_OF_FOUR_TYPES(DEFINE, gemr2d, GEMR2D) \
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
#define CAIRN_FOR_EACH_TRSM(DEFINE) CAIRN_OF_FOUR_TYPES(DEFINE, trsm, TRSM)

/// DEFINE(T, pdpotrf, PDPOTRF), of Cholesky factorisations.
#define CAIRN_FOR_EACH_POTRF(DEFINE) CAIRN_OF_FOUR_TYPES(DEFINE, potrf, POTRF)

/// DEFINE(T, pdpotrs, PDPOTRS), of solves with a Cholesky factor.
#define CAIRN_FOR_EACH_POTRS(DEFINE) CAIRN_OF_FOUR_TYPES(DEFINE, potrs, POTRS)

/// DEFINE(spelling, ...) for what compilers make of a Fortran name: gfortran, ifx and flang; IBM XL and C; Cray;
/// Windows.
#define CAIRN_FOR_EACH_SPELLING(DEFINE, lower, UPPER, ...) \
  DEFINE(lower##_ __VA_OPT__(, ) __VA_ARGS__)              \
  DEFINE(lower __VA_OPT__(, ) __VA_ARGS__)                 \
  DEFINE(UPPER __VA_OPT__(, ) __VA_ARGS__)                 \
  DEFINE(UPPER##_ __VA_OPT__(, ) __VA_ARGS__)
