/* Calls of pdtrsm and pdpotrf that are not the same on all ranks, one a run: what the argument names. Those of pdtrsm
 * must end with a message, those of pdpotrf say on every rank what is wrong.
 *   wrong_triangles [m n uplo descb alpha gemm potrf_n potrf_large potrf_uplo potrf_type potrf_trsm]
 *   [right calls before it] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cairn/scalapack.h"

void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int cols);

enum { SIZE = 40, BLOCK = 8, LARGE = 1200 };

int main(int argc, char** argv) {
  int rank, ranks, context;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", 1, ranks);

  const char* const what = argc > 1 ? argv[1] : "";
  const int one = 1, odd = rank == 1;
  int m = SIZE, n = SIZE, info = -77;
  double alpha = 1;
  const double zero = 0;
  double *A = calloc(LARGE * LARGE, sizeof *A), *B = calloc(SIZE * SIZE, sizeof *B);
  int desc_a[9] = {1, context, LARGE, LARGE, BLOCK, BLOCK, 0, 0, LARGE};
  int desc_b[9] = {1, context, SIZE, SIZE, BLOCK, BLOCK, 0, 0, SIZE};
  for (int calls = argc > 2 ? atoi(argv[2]) : 0; calls > 0; --calls) {
    cairn_pdtrsm("L", "L", "N", "U", &m, &n, &alpha, A, &one, &one, desc_a, B, &one, &one, desc_b);
    cairn_pdpotrf("L", &n, A, &one, &one, desc_a, &info); /* 1: A is 0 */
  }
  if (strcmp(what, "m") == 0) m -= odd;
  if (strcmp(what, "n") == 0) n -= odd;
  if (strcmp(what, "descb") == 0) desc_b[5] += odd;
  if (strcmp(what, "alpha") == 0) alpha += odd;
  if (strncmp(what, "potrf", 5) == 0 && !(strcmp(what, "potrf_trsm") == 0 && odd)) {
    if (strcmp(what, "potrf_n") == 0) n -= odd;
    if (strcmp(what, "potrf_large") == 0 && odd) n = LARGE;
    if (strcmp(what, "potrf_type") == 0 && odd) desc_a[0] = 502;
    cairn_pdpotrf(strcmp(what, "potrf_uplo") == 0 && odd ? "U" : "L", &n, A, &one, &one, desc_a, &info);
    printf("rank %d: info %d\n", rank, info);
  } else if (strcmp(what, "gemm") == 0 && odd) {
    cairn_pdgemm("N", "N", &m, &n, &n, &alpha, A, &one, &one, desc_a, A, &one, &one, desc_a, &zero, B, &one, &one,
                 desc_b);
  } else {
    cairn_pdtrsm("L", strcmp(what, "uplo") == 0 && odd ? "U" : "L", "N", "U", &m, &n, &alpha, A, &one, &one, desc_a, B,
                 &one, &one, desc_b);
  }
  printf("rank %d: the call returned\n", rank);
  free(A), free(B);
  MPI_Finalize();
  return 0;
}
