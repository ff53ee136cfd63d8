/* Stands for a ScaLAPACK whose integers have 64 bits: keeps what it is called with. What it is, its file name alone
 * tells; built with two. As in ScaLAPACK, Fortran's p?gemr2d calls C's. */
#include <string.h>

#include "ilp64.h"

struct calls arrived;

void pdgemm_(GEMM_ARGUMENTS) {
  const void* const all[] = {trans_a, trans_b, m,  n,      k,    alpha, a,  ia, ja,    desc_a,
                             b,       ib,      jb, desc_b, beta, c,     ic, jc, desc_c};
  memcpy(arrived.gemm, all, sizeof all);
  ++arrived.count;
}

void pdgemr2d_(in m, in n, const double* a, in ia, in ja, in desc_a, double* b, in ib, in jb, in desc_b, in context) {
  Cpdgemr2d(*m, *n, a, *ia, *ja, desc_a, b, *ib, *jb, desc_b, *context);
}

void Cpdgemr2d(integer m, integer n, const double* a, integer ia, integer ja, in desc_a, double* b, integer ib,
               integer jb, in desc_b, integer context) {
  const void* const moved[] = {a, desc_a, b, desc_b};
  const integer numbers[] = {m, n, ia, ja, ib, jb, context};
  memcpy(arrived.moved, moved, sizeof moved);
  memcpy(arrived.numbers, numbers, sizeof numbers);
  ++arrived.count;
}
