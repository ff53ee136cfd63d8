/* p?gemm and p?gemr2d with integers of 64 bits, and a record of a call. */
#pragma once

typedef long long integer;
typedef const integer* in;

#define GEMM_ARGUMENTS                                                                                            \
  const char *trans_a, const char *trans_b, in m, in n, in k, const double *alpha, const double *a, in ia, in ja, \
      in desc_a, const double *b, in ib, in jb, in desc_b, const double *beta, double *c, in ic, in jc, in desc_c

void pdgemm_(GEMM_ARGUMENTS);
void pdgemr2d_(in m, in n, const double* a, in ia, in ja, in desc_a, double* b, in ib, in jb, in desc_b, in context);
void Cpdgemr2d(integer m, integer n, const double* a, integer ia, integer ja, in desc_a, double* b, integer ib,
               integer jb, in desc_b, integer context);

/* What reached the library. */
struct calls {
  const void* gemm[19];
  const void* moved[4];
  integer numbers[7];
  int count;
};
extern struct calls arrived;
