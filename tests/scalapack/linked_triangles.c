/* A C program that factorises and solves through Cairn without preloading anything, built in two ways:
 *   TRSM=cairn_pdtrsm, POTRF and POTRS likewise   by Cairn's own names, from include/cairn/scalapack.h
 *   TRSM=pdtrsm_ …   by ScaLAPACK's names, which the linker wraps (--wrap=pdpotrf_ and so on)
 * A has N + 1 on its diagonal and 1 elsewhere, over a column of ranks; the solution is known. A last solve has
 * ALPHA = 0. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cairn/scalapack.h"

void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int cols);
void pdpotrf_(const char*, const int*, double*, const int*, const int*, const int*, int*);
void pdpotrs_(const char*, const int*, const int*, const double*, const int*, const int*, const int*, double*,
              const int*, const int*, const int*, int*);
void pdtrsm_(const char*, const char*, const char*, const char*, const int*, const int*, const double*, const double*,
             const int*, const int*, const int*, double*, const int*, const int*, const int*);

enum { N = 70, OTHERS = 50, BLOCK = 8 };

static int rank, ranks, wrong;

static double solution(int i, int j) { return (3 * i + j) % 5 - 2; }
/* Global row of local row i: blocks of rows are dealt in turn. */
static int global_row(int i) { return (i / BLOCK * ranks + rank) * BLOCK + i % BLOCK; }

static void expect_solution(const double* B, const char* what) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < OTHERS; ++j)
      if (global_row(i) < N && !(fabs(B[i + j * N] - solution(global_row(i), j)) < 1e-10)) {
        if (wrong++ == 0) printf("rank %d: %s: (%d, %d) is %g\n", rank, what, global_row(i), j, B[i + j * N]);
      }
}

int main(int argc, char** argv) {
  int context, info = -1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", ranks, 1);
  static double A[N * N], B[N * OTHERS], again[N * OTHERS];
  const int n = N, others = OTHERS, one = 1;
  const double alpha = 1, nothing = 0;
  const int desc_a[9] = {1, context, N, N, BLOCK, BLOCK, 0, 0, N};
  const int desc_b[9] = {1, context, N, OTHERS, BLOCK, BLOCK, 0, 0, N};
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      if (global_row(i) < N) A[i + j * N] = global_row(i) == j ? N + 1 : 1;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < OTHERS; ++j)
      if (global_row(i) < N) {
        B[i + j * N] = N * solution(global_row(i), j);
        for (int k = 0; k < N; ++k) B[i + j * N] += solution(k, j);
      }
  memcpy(again, B, sizeof B);
  POTRF("L", &n, A, &one, &one, desc_a, &info);
  TRSM("L", "L", "N", "N", &n, &others, &alpha, A, &one, &one, desc_a, B, &one, &one, desc_b);
  TRSM("L", "L", "T", "N", &n, &others, &alpha, A, &one, &one, desc_a, B, &one, &one, desc_b);
  if (info != 0) ++wrong, printf("rank %d: info is %d\n", rank, info);
  expect_solution(B, "pdtrsm");
  POTRS("L", &n, &others, A, &one, &one, desc_a, again, &one, &one, desc_b, &info);
  if (info != 0) ++wrong, printf("rank %d: info of pdpotrs is %d\n", rank, info);
  expect_solution(again, "pdpotrs");
  TRSM("L", "L", "N", "N", &n, &others, &nothing, A, &one, &one, desc_a, B, &one, &one, desc_b);
  for (int i = 0; i < N * OTHERS; ++i)
    if (global_row(i % N) < N && B[i] != 0) ++wrong, printf("rank %d: element %d of B is %g\n", rank, i, B[i]);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return wrong > 0;
}
