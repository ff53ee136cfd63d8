/* Cairn's multiplication with ScaLAPACK's calling convention, for programs that want to choose call by call: every
 * argument is a pointer, as in Fortran; indices are counted from 1; descriptors are those of ScaLAPACK, of type 1
 * (9 integers) or type 2 (11 integers). Link with libcairn_scalapack. Fortran calls the same names:
 * `call cairn_pdgemm('N', 'T', m, n, k, ...)`.
 *
 * sub(C) = alpha*op(sub(A))*op(sub(B)) + beta*sub(C), where sub(C) is m x n and starts at (ic, jc), and k is the number
 * of columns of op(sub(A)). Collective over the process grid of the descriptors' context. Wrong arguments end as in
 * ScaLAPACK: PB_Cabort with the place of the argument. What Cairn does not gain from goes to the program's ScaLAPACK,
 * see docs/scalapack.md. Scalars and arrays of the complex types are pairs of real and imaginary part. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

void cairn_psgemm(const char* transa, const char* transb, const int* m, const int* n, const int* k, const float* alpha,
                  const float* a, const int* ia, const int* ja, const int* desca, const float* b, const int* ib,
                  const int* jb, const int* descb, const float* beta, float* c, const int* ic, const int* jc,
                  const int* descc);
void cairn_pdgemm(const char* transa, const char* transb, const int* m, const int* n, const int* k, const double* alpha,
                  const double* a, const int* ia, const int* ja, const int* desca, const double* b, const int* ib,
                  const int* jb, const int* descb, const double* beta, double* c, const int* ic, const int* jc,
                  const int* descc);
void cairn_pcgemm(const char* transa, const char* transb, const int* m, const int* n, const int* k, const void* alpha,
                  const void* a, const int* ia, const int* ja, const int* desca, const void* b, const int* ib,
                  const int* jb, const int* descb, const void* beta, void* c, const int* ic, const int* jc,
                  const int* descc);
void cairn_pzgemm(const char* transa, const char* transb, const int* m, const int* n, const int* k, const void* alpha,
                  const void* a, const int* ia, const int* ja, const int* desca, const void* b, const int* ib,
                  const int* jb, const int* descb, const void* beta, void* c, const int* ic, const int* jc,
                  const int* descc);

#ifdef __cplusplus
}
#endif
