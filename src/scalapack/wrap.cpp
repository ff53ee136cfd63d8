// For programs that are linked statically with ScaLAPACK: ld's --wrap=pdgemm_ makes their calls of pdgemm_ calls of
// __wrap_pdgemm_, and leaves the original as __real_pdgemm_.
#include "scalapack/gemm.hpp"

#define CAIRN_DEFINE_WRAP(T, lower, UPPER) \
  extern "C" void __wrap_##lower##_(CAIRN_GEMM_ARGUMENTS(T)) { cairn::scalapack::gemm<T>({CAIRN_GEMM_NAMES}); }
CAIRN_FOR_EACH_GEMM(CAIRN_DEFINE_WRAP)
