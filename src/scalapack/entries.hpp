// How a call enters: each macro defines the function `name`, called as Fortran calls the routine, for elements of type
// T. ScaLAPACK's spellings are given to them by symbols.cpp, those of ld's --wrap by wrap.cpp.
#pragma once
#include "scalapack/gemm.hpp"
#include "scalapack/gemr2d.hpp"
#include "scalapack/original.hpp"
#include "scalapack/potrf.hpp"
#include "scalapack/potrs.hpp"
#include "scalapack/tran.hpp"
#include "scalapack/trsm.hpp"

#define CAIRN_GEMM_ENTRY(name, T) \
  extern "C" void name(CAIRN_GEMM_ARGUMENTS(T)) { cairn::scalapack::gemm<T>({CAIRN_GEMM_NAMES}); }
#define CAIRN_TRAN_ENTRY(name, T, op) \
  extern "C" void name(CAIRN_TRAN_ARGUMENTS(T)) { cairn::scalapack::tran<T, cairn::Op::op>({CAIRN_TRAN_NAMES}); }
#define CAIRN_TRSM_ENTRY(name, T) \
  extern "C" void name(CAIRN_TRSM_ARGUMENTS(T)) { cairn::scalapack::trsm<T>({CAIRN_TRSM_NAMES}); }
#define CAIRN_POTRF_ENTRY(name, T) \
  extern "C" void name(CAIRN_POTRF_ARGUMENTS(T)) { cairn::scalapack::potrf<T>({CAIRN_POTRF_NAMES}); }
#define CAIRN_POTRS_ENTRY(name, T)                                                 \
  extern "C" void name(CAIRN_POTRS_ARGUMENTS(T)) {                                 \
    cairn::scalapack::original(cairn::scalapack::PotrsCall<T>{CAIRN_POTRS_NAMES}); \
  }
#define CAIRN_GEMR2D_ENTRY(name, T) \
  extern "C" void name(CAIRN_GEMR2D_ARGUMENTS(T)) { cairn::scalapack::gemr2d_from_fortran<T>(CAIRN_GEMR2D_NAMES); }
/// As C calls it.
#define CAIRN_CGEMR2D_ENTRY(name, T)                                \
  extern "C" void name(CAIRN_CGEMR2D_ARGUMENTS(T, std::intptr_t)) { \
    cairn::scalapack::gemr2d_from_c<T>(CAIRN_GEMR2D_NAMES);         \
  }
