// For programs that are linked statically with ScaLAPACK: ld's --wrap=pdgemm_ makes their calls of pdgemm_ calls of
// __wrap_pdgemm_, and leaves the original as __real_pdgemm_.
#include "scalapack/entries.hpp"

#define CAIRN_WRAP_GEMM(T, lower, UPPER) CAIRN_GEMM_ENTRY(__wrap_##lower##_, T)
#define CAIRN_WRAP_TRAN(T, op, lower, UPPER) CAIRN_TRAN_ENTRY(__wrap_##lower##_, T, op)
#define CAIRN_WRAP_TRSM(T, lower, UPPER) CAIRN_TRSM_ENTRY(__wrap_##lower##_, T)
#define CAIRN_WRAP_POTRF(T, lower, UPPER) CAIRN_POTRF_ENTRY(__wrap_##lower##_, T)
#define CAIRN_WRAP_POTRS(T, lower, UPPER) CAIRN_POTRS_ENTRY(__wrap_##lower##_, T)
#define CAIRN_WRAP_GEMR2D(T, lower, UPPER) \
  CAIRN_GEMR2D_ENTRY(__wrap_##lower##_, T) \
  CAIRN_CGEMR2D_ENTRY(__wrap_C##lower, T)
CAIRN_FOR_EACH_GEMM(CAIRN_WRAP_GEMM)
CAIRN_FOR_EACH_TRAN(CAIRN_WRAP_TRAN)
CAIRN_FOR_EACH_TRSM(CAIRN_WRAP_TRSM)
CAIRN_FOR_EACH_POTRF(CAIRN_WRAP_POTRF)
CAIRN_FOR_EACH_POTRS(CAIRN_WRAP_POTRS)
CAIRN_FOR_EACH_GEMR2D(CAIRN_WRAP_GEMR2D)
