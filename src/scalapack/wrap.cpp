// For programs that are linked statically with ScaLAPACK: ld's --wrap=pdgemm_ makes their calls of pdgemm_ calls of
// __wrap_pdgemm_, and leaves the original as __real_pdgemm_.
#include "scalapack/gemm.hpp"
#include "scalapack/gemr2d.hpp"
#include "scalapack/original.hpp"
#include "scalapack/potrf.hpp"
#include "scalapack/potrs.hpp"
#include "scalapack/tran.hpp"
#include "scalapack/trsm.hpp"

#define CAIRN_DEFINE_WRAP(T, lower, UPPER) \
  extern "C" void __wrap_##lower##_(CAIRN_GEMM_ARGUMENTS(T)) { cairn::scalapack::gemm<T>({CAIRN_GEMM_NAMES}); }
CAIRN_FOR_EACH_GEMM(CAIRN_DEFINE_WRAP)

#define CAIRN_DEFINE_WRAP_GEMR2D(T, lower, UPPER)                              \
  extern "C" void __wrap_##lower##_(CAIRN_GEMR2D_ARGUMENTS(T)) {               \
    cairn::scalapack::gemr2d_from_fortran<T>(CAIRN_GEMR2D_NAMES);              \
  }                                                                            \
  extern "C" void __wrap_C##lower(CAIRN_CGEMR2D_ARGUMENTS(T, std::intptr_t)) { \
    cairn::scalapack::gemr2d_from_c<T>(CAIRN_GEMR2D_NAMES);                    \
  }
CAIRN_FOR_EACH_GEMR2D(CAIRN_DEFINE_WRAP_GEMR2D)

#define CAIRN_DEFINE_WRAP_TRAN(T, op, lower, UPPER)               \
  extern "C" void __wrap_##lower##_(CAIRN_TRAN_ARGUMENTS(T)) {    \
    cairn::scalapack::tran<T, cairn::Op::op>({CAIRN_TRAN_NAMES}); \
  }
CAIRN_FOR_EACH_TRAN(CAIRN_DEFINE_WRAP_TRAN)

#define CAIRN_DEFINE_WRAP_TRSM(T, lower, UPPER) \
  extern "C" void __wrap_##lower##_(CAIRN_TRSM_ARGUMENTS(T)) { cairn::scalapack::trsm<T>({CAIRN_TRSM_NAMES}); }
CAIRN_FOR_EACH_TRSM(CAIRN_DEFINE_WRAP_TRSM)

#define CAIRN_DEFINE_WRAP_POTRF(T, lower, UPPER) \
  extern "C" void __wrap_##lower##_(CAIRN_POTRF_ARGUMENTS(T)) { cairn::scalapack::potrf<T>({CAIRN_POTRF_NAMES}); }
CAIRN_FOR_EACH_POTRF(CAIRN_DEFINE_WRAP_POTRF)

#define CAIRN_DEFINE_WRAP_POTRS(T, lower, UPPER)                                   \
  extern "C" void __wrap_##lower##_(CAIRN_POTRS_ARGUMENTS(T)) {                    \
    cairn::scalapack::original(cairn::scalapack::PotrsCall<T>{CAIRN_POTRS_NAMES}); \
  }
CAIRN_FOR_EACH_POTRS(CAIRN_DEFINE_WRAP_POTRS)
