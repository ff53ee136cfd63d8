/* Cairn's multiplication, redistribution, transposition, solves and factorisations with ScaLAPACK's calling convention,
 * for programs that want to choose call by call: every argument is a pointer, as in Fortran; indices are counted from
 * 1; descriptors are those of ScaLAPACK, of type 1 (9 integers) or type 2 (11 integers). Link with libcairn_scalapack.
 * Fortran calls the same names: `call cairn_pdgemm('N', 'T', m, n, k, ...)`.
 *
 * Wrong arguments end as in ScaLAPACK: PB_Cabort with the place of the argument; of p?gemr2d see docs/scalapack.md.
 * What Cairn does not gain from goes to the program's ScaLAPACK. Scalars and arrays of the complex types are pairs of
 * real and imaginary part. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* sub(C) = alpha*op(sub(A))*op(sub(B)) + beta*sub(C), where sub(C) is m x n and starts at (ic, jc), and k is the number
 * of columns of op(sub(A)). Collective over the process grid of the descriptors' context. */
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

/* sub(B) = sub(A), bit by bit; both are m x n and start at (ia, ja) and (ib, jb). Collective over the processes of
 * `context`, among which are those of both matrices' grids; where a process is not in the grid of a matrix, the context
 * in its descriptor is -1 and the rest of it is not looked at. Descriptors are of type 1. `i`: integers. */
void cairn_psgemr2d(const int* m, const int* n, const float* a, const int* ia, const int* ja, const int* desca,
                    float* b, const int* ib, const int* jb, const int* descb, const int* context);
void cairn_pdgemr2d(const int* m, const int* n, const double* a, const int* ia, const int* ja, const int* desca,
                    double* b, const int* ib, const int* jb, const int* descb, const int* context);
void cairn_pcgemr2d(const int* m, const int* n, const void* a, const int* ia, const int* ja, const int* desca, void* b,
                    const int* ib, const int* jb, const int* descb, const int* context);
void cairn_pzgemr2d(const int* m, const int* n, const void* a, const int* ia, const int* ja, const int* desca, void* b,
                    const int* ib, const int* jb, const int* descb, const int* context);
void cairn_pigemr2d(const int* m, const int* n, const int* a, const int* ia, const int* ja, const int* desca, int* b,
                    const int* ib, const int* jb, const int* descb, const int* context);

/* sub(C) = alpha*sub(A)^T + beta*sub(C), in cairn_p?tranc with the conjugate transpose of sub(A); sub(C) is m x n and
 * starts at (ic, jc), sub(A) n x m at (ia, ja). Collective over the process grid of the descriptors' context. */
void cairn_pstran(const int* m, const int* n, const float* alpha, const float* a, const int* ia, const int* ja,
                  const int* desca, const float* beta, float* c, const int* ic, const int* jc, const int* descc);
void cairn_pdtran(const int* m, const int* n, const double* alpha, const double* a, const int* ia, const int* ja,
                  const int* desca, const double* beta, double* c, const int* ic, const int* jc, const int* descc);
void cairn_pctranu(const int* m, const int* n, const void* alpha, const void* a, const int* ia, const int* ja,
                   const int* desca, const void* beta, void* c, const int* ic, const int* jc, const int* descc);
void cairn_pctranc(const int* m, const int* n, const void* alpha, const void* a, const int* ia, const int* ja,
                   const int* desca, const void* beta, void* c, const int* ic, const int* jc, const int* descc);
void cairn_pztranu(const int* m, const int* n, const void* alpha, const void* a, const int* ia, const int* ja,
                   const int* desca, const void* beta, void* c, const int* ic, const int* jc, const int* descc);
void cairn_pztranc(const int* m, const int* n, const void* alpha, const void* a, const int* ia, const int* ja,
                   const int* desca, const void* beta, void* c, const int* ic, const int* jc, const int* descc);

/* X of op(sub(A))*X = alpha*sub(B), side 'L', or of X*op(sub(A)) = alpha*sub(B), side 'R', in the place of sub(B),
 * which is m x n and starts at (ib, jb). sub(A) starts at (ia, ja) and is triangular: uplo says which triangle is read,
 * and diag whether its diagonal counts ('N') or is one of ones ('U'). Collective over the process grid of the
 * descriptors' context. */
void cairn_pstrsm(const char* side, const char* uplo, const char* transa, const char* diag, const int* m, const int* n,
                  const float* alpha, const float* a, const int* ia, const int* ja, const int* desca, float* b,
                  const int* ib, const int* jb, const int* descb);
void cairn_pdtrsm(const char* side, const char* uplo, const char* transa, const char* diag, const int* m, const int* n,
                  const double* alpha, const double* a, const int* ia, const int* ja, const int* desca, double* b,
                  const int* ib, const int* jb, const int* descb);
void cairn_pctrsm(const char* side, const char* uplo, const char* transa, const char* diag, const int* m, const int* n,
                  const void* alpha, const void* a, const int* ia, const int* ja, const int* desca, void* b,
                  const int* ib, const int* jb, const int* descb);
void cairn_pztrsm(const char* side, const char* uplo, const char* transa, const char* diag, const int* m, const int* n,
                  const void* alpha, const void* a, const int* ia, const int* ja, const int* desca, void* b,
                  const int* ib, const int* jb, const int* descb);

/* The Cholesky factor of sub(A), n x n from (ia, ja) on, in the place of the triangle that uplo names. info is 0; or k
 * on all processes if the leading minor of order k is not positive, or no number; or says which argument is wrong.
 * Descriptors are of type 1. Collective over the process grid of the descriptor's context. */
void cairn_pspotrf(const char* uplo, const int* n, float* a, const int* ia, const int* ja, const int* desca, int* info);
void cairn_pdpotrf(const char* uplo, const int* n, double* a, const int* ia, const int* ja, const int* desca,
                   int* info);
void cairn_pcpotrf(const char* uplo, const int* n, void* a, const int* ia, const int* ja, const int* desca, int* info);
void cairn_pzpotrf(const char* uplo, const int* n, void* a, const int* ia, const int* ja, const int* desca, int* info);

/* X of sub(A)*X = sub(B) in the place of sub(B), n x nrhs from (ib, jb) on, with the factor that p?potrf left. */
void cairn_pspotrs(const char* uplo, const int* n, const int* nrhs, const float* a, const int* ia, const int* ja,
                   const int* desca, float* b, const int* ib, const int* jb, const int* descb, int* info);
void cairn_pdpotrs(const char* uplo, const int* n, const int* nrhs, const double* a, const int* ia, const int* ja,
                   const int* desca, double* b, const int* ib, const int* jb, const int* descb, int* info);
void cairn_pcpotrs(const char* uplo, const int* n, const int* nrhs, const void* a, const int* ia, const int* ja,
                   const int* desca, void* b, const int* ib, const int* jb, const int* descb, int* info);
void cairn_pzpotrs(const char* uplo, const int* n, const int* nrhs, const void* a, const int* ia, const int* ja,
                   const int* desca, void* b, const int* ib, const int* jb, const int* descb, int* info);

#ifdef __cplusplus
}
#endif
