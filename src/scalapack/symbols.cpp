// ScaLAPACK's names, in all spellings, and Cairn's own: `cairn_pdgemm` for C, `cairn_pdgemm_` for Fortran.
#include "scalapack/gemm.hpp"
#include "scalapack/gemr2d.hpp"
#include "scalapack/original.hpp"
#include "scalapack/potrf.hpp"
#include "scalapack/potrs.hpp"
#include "scalapack/tran.hpp"
#include "scalapack/trsm.hpp"

// DEFINE(spelling) of one routine under all its names, in a namespace of its own in which Element is T.
#define CAIRN_UNDER_ALL_NAMES(DEFINE, T, lower, UPPER) \
  namespace in_##lower {                               \
    using Element = T;                                 \
    CAIRN_FOR_EACH_SPELLING(DEFINE, lower, UPPER)      \
    DEFINE(cairn_##lower)                              \
    DEFINE(cairn_##lower##_)                           \
  }

#define CAIRN_DEFINE_GEMM_AS(spelling) \
  extern "C" void spelling(CAIRN_GEMM_ARGUMENTS(Element)) { cairn::scalapack::gemm<Element>({CAIRN_GEMM_NAMES}); }
#define CAIRN_DEFINE_GEMM(T, lower, UPPER) CAIRN_UNDER_ALL_NAMES(CAIRN_DEFINE_GEMM_AS, T, lower, UPPER)
CAIRN_FOR_EACH_GEMM(CAIRN_DEFINE_GEMM)

#define CAIRN_DEFINE_GEMR2D_AS(spelling)                                \
  extern "C" void spelling(CAIRN_GEMR2D_ARGUMENTS(Element)) {           \
    cairn::scalapack::gemr2d_from_fortran<Element>(CAIRN_GEMR2D_NAMES); \
  }
#define CAIRN_DEFINE_GEMR2D(T, lower, UPPER)                            \
  CAIRN_UNDER_ALL_NAMES(CAIRN_DEFINE_GEMR2D_AS, T, lower, UPPER)        \
  extern "C" void C##lower(CAIRN_CGEMR2D_ARGUMENTS(T, std::intptr_t)) { \
    cairn::scalapack::gemr2d_from_c<T>(CAIRN_GEMR2D_NAMES);             \
  }
CAIRN_FOR_EACH_GEMR2D(CAIRN_DEFINE_GEMR2D)

#define CAIRN_DEFINE_TRAN_AS(spelling)                              \
  extern "C" void spelling(CAIRN_TRAN_ARGUMENTS(Element)) {         \
    cairn::scalapack::tran<Element, operation>({CAIRN_TRAN_NAMES}); \
  }
#define CAIRN_DEFINE_TRAN(T, op, lower, UPPER) \
  namespace in_##lower {                       \
    constexpr auto operation = cairn::Op::op;  \
  }                                            \
  CAIRN_UNDER_ALL_NAMES(CAIRN_DEFINE_TRAN_AS, T, lower, UPPER)
CAIRN_FOR_EACH_TRAN(CAIRN_DEFINE_TRAN)

#define CAIRN_DEFINE_TRSM_AS(spelling) \
  extern "C" void spelling(CAIRN_TRSM_ARGUMENTS(Element)) { cairn::scalapack::trsm<Element>({CAIRN_TRSM_NAMES}); }
#define CAIRN_DEFINE_TRSM(T, lower, UPPER) CAIRN_UNDER_ALL_NAMES(CAIRN_DEFINE_TRSM_AS, T, lower, UPPER)
CAIRN_FOR_EACH_TRSM(CAIRN_DEFINE_TRSM)

#define CAIRN_DEFINE_POTRF_AS(spelling) \
  extern "C" void spelling(CAIRN_POTRF_ARGUMENTS(Element)) { cairn::scalapack::potrf<Element>({CAIRN_POTRF_NAMES}); }
#define CAIRN_DEFINE_POTRF(T, lower, UPPER) CAIRN_UNDER_ALL_NAMES(CAIRN_DEFINE_POTRF_AS, T, lower, UPPER)
CAIRN_FOR_EACH_POTRF(CAIRN_DEFINE_POTRF)

#define CAIRN_DEFINE_POTRS_AS(spelling)                                                  \
  extern "C" void spelling(CAIRN_POTRS_ARGUMENTS(Element)) {                             \
    cairn::scalapack::original(cairn::scalapack::PotrsCall<Element>{CAIRN_POTRS_NAMES}); \
  }
#define CAIRN_DEFINE_POTRS(T, lower, UPPER) CAIRN_UNDER_ALL_NAMES(CAIRN_DEFINE_POTRS_AS, T, lower, UPPER)
CAIRN_FOR_EACH_POTRS(CAIRN_DEFINE_POTRS)
