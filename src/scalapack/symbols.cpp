// ScaLAPACK's names, in all spellings, and Cairn's own: `cairn_pdgemm` for C, `cairn_pdgemm_` for Fortran.
#include "scalapack/gemm.hpp"

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
