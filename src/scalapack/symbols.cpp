// ScaLAPACK's names, in all spellings, and Cairn's own: `cairn_pdgemm` for C, `cairn_pdgemm_` for Fortran.
#include "scalapack/gemm.hpp"
#include "scalapack/gemr2d.hpp"
#include "scalapack/potrf.hpp"
#include "scalapack/potrs.hpp"
#include "scalapack/tran.hpp"
#include "scalapack/trsm.hpp"

#define CAIRN_DEFINE(spelling) \
  extern "C" void spelling(CAIRN_GEMM_ARGUMENTS(Element)) { cairn::scalapack::gemm<Element>({CAIRN_GEMM_NAMES}); }
#define CAIRN_DEFINE_GEMM(T, lower, UPPER)              \
  namespace in_##lower {                                \
    using Element = T;                                  \
    CAIRN_FOR_EACH_SPELLING(CAIRN_DEFINE, lower, UPPER) \
    CAIRN_DEFINE(cairn_##lower)                         \
    CAIRN_DEFINE(cairn_##lower##_)                      \
  }
CAIRN_FOR_EACH_GEMM(CAIRN_DEFINE_GEMM)

#define CAIRN_DEFINE_FORTRAN(spelling)                                  \
  extern "C" void spelling(CAIRN_GEMR2D_ARGUMENTS(Element)) {           \
    cairn::scalapack::gemr2d_from_fortran<Element>(CAIRN_GEMR2D_NAMES); \
  }
#define CAIRN_DEFINE_GEMR2D(T, lower, UPPER)                              \
  namespace in_##lower {                                                  \
    using Element = T;                                                    \
    CAIRN_FOR_EACH_SPELLING(CAIRN_DEFINE_FORTRAN, lower, UPPER)           \
    CAIRN_DEFINE_FORTRAN(cairn_##lower)                                   \
    CAIRN_DEFINE_FORTRAN(cairn_##lower##_)                                \
    extern "C" void C##lower(CAIRN_CGEMR2D_ARGUMENTS(T, std::intptr_t)) { \
      cairn::scalapack::gemr2d_from_c<T>(CAIRN_GEMR2D_NAMES);             \
    }                                                                     \
  }
CAIRN_FOR_EACH_GEMR2D(CAIRN_DEFINE_GEMR2D)

#define CAIRN_DEFINE_TRANSPOSITION(spelling)                        \
  extern "C" void spelling(CAIRN_TRAN_ARGUMENTS(Element)) {         \
    cairn::scalapack::tran<Element, operation>({CAIRN_TRAN_NAMES}); \
  }
#define CAIRN_DEFINE_TRAN(T, op, lower, UPPER)                        \
  namespace in_##lower {                                              \
    using Element = T;                                                \
    constexpr auto operation = cairn::Op::op;                         \
    CAIRN_FOR_EACH_SPELLING(CAIRN_DEFINE_TRANSPOSITION, lower, UPPER) \
    CAIRN_DEFINE_TRANSPOSITION(cairn_##lower)                         \
    CAIRN_DEFINE_TRANSPOSITION(cairn_##lower##_)                      \
  }
CAIRN_FOR_EACH_TRAN(CAIRN_DEFINE_TRAN)

#define CAIRN_DEFINE_TRSM_AS(spelling) \
  extern "C" void spelling(CAIRN_TRSM_ARGUMENTS(Element)) { cairn::scalapack::trsm<Element>({CAIRN_TRSM_NAMES}); }
#define CAIRN_DEFINE_TRSM(T, lower, UPPER)                      \
  namespace in_##lower {                                        \
    using Element = T;                                          \
    CAIRN_FOR_EACH_SPELLING(CAIRN_DEFINE_TRSM_AS, lower, UPPER) \
    CAIRN_DEFINE_TRSM_AS(cairn_##lower)                         \
    CAIRN_DEFINE_TRSM_AS(cairn_##lower##_)                      \
  }
CAIRN_FOR_EACH_TRSM(CAIRN_DEFINE_TRSM)

#define CAIRN_DEFINE_POTRF_AS(spelling) \
  extern "C" void spelling(CAIRN_POTRF_ARGUMENTS(Element)) { cairn::scalapack::potrf<Element>({CAIRN_POTRF_NAMES}); }
#define CAIRN_DEFINE_POTRF(T, lower, UPPER)                      \
  namespace in_##lower {                                         \
    using Element = T;                                           \
    CAIRN_FOR_EACH_SPELLING(CAIRN_DEFINE_POTRF_AS, lower, UPPER) \
    CAIRN_DEFINE_POTRF_AS(cairn_##lower)                         \
    CAIRN_DEFINE_POTRF_AS(cairn_##lower##_)                      \
  }
CAIRN_FOR_EACH_POTRF(CAIRN_DEFINE_POTRF)

#define CAIRN_DEFINE_POTRS_AS(spelling) \
  extern "C" void spelling(CAIRN_POTRS_ARGUMENTS(Element)) { cairn::scalapack::potrs<Element>({CAIRN_POTRS_NAMES}); }
#define CAIRN_DEFINE_POTRS(T, lower, UPPER)                      \
  namespace in_##lower {                                         \
    using Element = T;                                           \
    CAIRN_FOR_EACH_SPELLING(CAIRN_DEFINE_POTRS_AS, lower, UPPER) \
    CAIRN_DEFINE_POTRS_AS(cairn_##lower)                         \
    CAIRN_DEFINE_POTRS_AS(cairn_##lower##_)                      \
  }
CAIRN_FOR_EACH_POTRS(CAIRN_DEFINE_POTRS)
