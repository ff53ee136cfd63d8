/* Calls of pdgemm_ that cannot be carried out, one a run: what the argument names. All must end, on every rank, with a
 * message.  wrong [m n k ia transb descb alpha routine transposes context type leading] [right calls before it] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cairn/scalapack.h"

void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int cols);
void Cblacs_gridexit(int context);

enum { SIZE = 40, BLOCK = 8 };

int main(int argc, char** argv) {
  int rank, ranks, context;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", 1, ranks);

  const char* const what = argc > 1 ? argv[1] : "";
  const int one = 1, odd = rank == 1;
  int m = SIZE, n = SIZE, k = SIZE, ia = 1;
  double alpha = 1;
  const double beta = 0;
  const char* const trans_b = strcmp(what, "transb") == 0 && odd ? "T" : "N";
  double *A = calloc(SIZE * SIZE, sizeof *A), *B = calloc(SIZE * SIZE, sizeof *B), *C = calloc(SIZE * SIZE, sizeof *C);
  int desc_a[9] = {1, context, SIZE, SIZE, BLOCK, BLOCK, 0, 0, SIZE}, desc_b[9], desc_c[9];
  memcpy(desc_b, desc_a, sizeof desc_a);
  memcpy(desc_c, desc_a, sizeof desc_a);
  for (int calls = argc > 2 ? atoi(argv[2]) : 0; calls > 0; --calls)
    cairn_pdgemm("N", "N", &m, &n, &k, &alpha, A, &one, &one, desc_a, B, &one, &one, desc_b, &beta, C, &one, &one,
                 desc_c);
  if (strcmp(what, "m") == 0) m -= odd;
  if (strcmp(what, "n") == 0) n -= odd;
  if (strcmp(what, "k") == 0) k -= odd;
  if (strcmp(what, "ia") == 0) m -= 1, ia += odd;
  if (strcmp(what, "descb") == 0) desc_b[5] += odd;
  if (strcmp(what, "alpha") == 0) alpha += odd;
  if (strcmp(what, "leading") == 0) desc_c[8] -= odd;
  if (strcmp(what, "type") == 0) desc_a[0] = 502;
  if (strcmp(what, "null") == 0 && odd) free(B), B = NULL;
  if (strcmp(what, "context") == 0) Cblacs_gridexit(context);
  if (strcmp(what, "routine") == 0 && odd)
    cairn_psgemm("N", "N", &m, &n, &k, (float*)&alpha, (float*)A, &one, &one, desc_a, (float*)B, &one, &one, desc_b,
                 (float*)&beta, (float*)C, &one, &one, desc_c);
  else if (strcmp(what, "transposes") == 0 && odd)
    cairn_pdtran(&m, &n, &alpha, A, &one, &one, desc_a, &beta, C, &one, &one, desc_c);
  else
    cairn_pdgemm("N", trans_b, &m, &n, &k, &alpha, A, &ia, &one, desc_a, B, &one, &one, desc_b, &beta, C, &one, &one,
                 desc_c);
  printf("rank %d: the call returned\n", rank);
  free(A), free(B), free(C);
  MPI_Finalize();
  return 0;
}
