/* A C program that multiplies through Cairn without preloading anything, built in two ways:
 *   GEMM=cairn_pdgemm   by Cairn's own name, from include/cairn/scalapack.h
 *   GEMM=pdgemm_        by ScaLAPACK's name, which the linker wraps (--wrap=pdgemm_)
 * A 70 x 60 by 60 x 50 product of small integers over a column of ranks, so that every element is exact; and a call
 * with ALPHA = 0 and BETA = 1, which leaves it as it is. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "cairn/scalapack.h"

void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int cols);
void pdgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*,
             const int*, const int*, const double*, const int*, const int*, const int*, const double*, double*,
             const int*, const int*, const int*);

enum { M = 70, N = 50, K = 60, BLOCK = 8 };

static int a(int i, int j) { return (i + 2 * j) % 7; }
static int b(int i, int j) { return (3 * i + j) % 5; }

/* Global row of local row i: blocks of rows are dealt in turn. */
static int global_row(int i, int rank, int ranks) { return (i / BLOCK * ranks + rank) * BLOCK + i % BLOCK; }

int main(int argc, char** argv) {
  int rank, ranks, context, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", ranks, 1);

  double *A = calloc(M * K, sizeof *A), *B = calloc(K * N, sizeof *B), *C = calloc(M * N, sizeof *C);
  const int m = M, n = N, k = K, one = 1;
  const double alpha = 2, beta = 0, nothing = 0, all = 1;
  const int desc_a[9] = {1, context, M, K, BLOCK, BLOCK, 0, 0, M},
            desc_b[9] = {1, context, K, N, BLOCK, BLOCK, 0, 0, K},
            desc_c[9] = {1, context, M, N, BLOCK, BLOCK, 0, 0, M};
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < K; ++j)
      if (global_row(i, rank, ranks) < M) A[i + j * M] = a(global_row(i, rank, ranks), j);
  for (int i = 0; i < K; ++i)
    for (int j = 0; j < N; ++j)
      if (global_row(i, rank, ranks) < K) B[i + j * K] = b(global_row(i, rank, ranks), j);

  GEMM("N", "N", &m, &n, &k, &alpha, A, &one, &one, desc_a, B, &one, &one, desc_b, &beta, C, &one, &one, desc_c);
  GEMM("N", "N", &m, &n, &k, &nothing, A, &one, &one, desc_a, B, &one, &one, desc_b, &all, C, &one, &one, desc_c);

  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      const int row = global_row(i, rank, ranks);
      int sum = 0;
      for (int l = 0; l < K; ++l) sum += a(row, l) * b(l, j);
      if (row < M && C[i + j * M] != 2.0 * sum) ++wrong;
    }
  if (wrong > 0) printf("rank %d: %d elements of C are wrong\n", rank, wrong);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  free(A), free(B), free(C);
  MPI_Finalize();
  return wrong > 0;
}
