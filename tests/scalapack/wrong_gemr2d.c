/* One call of pdgemr2d_, from a row of ranks to a column, in which one argument may be changed:
 *   wrong_gemr2d [NAME VALUE [RANK]]
 * on all ranks or on that one alone. VALUE may be `dead`, a context that was given back, or `part`, one of two ranks.
 * With NAME `routine` and VALUE 1 it is psgemr2d_ that is called. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int cols);
void Cblacs_gridexit(int context);
void pdgemr2d_(const int*, const int*, const double*, const int*, const int*, const int*, double*, const int*,
               const int*, const int*, const int*);
void psgemr2d_(const int*, const int*, const float*, const int*, const int*, const int*, float*, const int*, const int*,
               const int*, const int*);

enum { SIZE = 40, BLOCK = 4 };
enum { AT_M, AT_N, AT_IA, AT_JA, AT_A, AT_IB = AT_A + 9, AT_JB, AT_B, AT_CONTEXT = AT_B + 9, ROUTINE, ARGUMENTS };

static const char* const names[ARGUMENTS] = {"m",      "n",      "ia",        "ja",      "a.type", "a.context", "a.m",
                                             "a.n",    "a.mb",   "a.nb",      "a.rsrc",  "a.csrc", "a.lld",     "ib",
                                             "jb",     "b.type", "b.context", "b.m",     "b.n",    "b.mb",      "b.nb",
                                             "b.rsrc", "b.csrc", "b.lld",     "context", "routine"};

static int new_context(int rows, int cols) {
  int context;
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", rows, cols);
  return context;
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int all = new_context(1, ranks), from = new_context(1, ranks), to = new_context(ranks, 1);
  const int dead = new_context(1, ranks), part = new_context(1, 2);
  Cblacs_gridexit(dead);
  int x[ARGUMENTS] = {SIZE - 2, SIZE - 2, 1, 1,  1,    from, SIZE,  SIZE,  BLOCK, BLOCK, 0,    0,   SIZE,
                      1,        1,        1, to, SIZE, SIZE, BLOCK, BLOCK, 0,     0,     SIZE, all, 0};
  for (int i = 0; argc > 2 && i < ARGUMENTS; ++i)
    if (strcmp(argv[1], names[i]) == 0 && (argc < 4 || rank == atoi(argv[3])))
      x[i] = strcmp(argv[2], "dead") == 0 ? dead : strcmp(argv[2], "part") == 0 ? part : atoi(argv[2]);

  double *A = calloc(SIZE * SIZE, sizeof *A), *B = calloc(SIZE * SIZE, sizeof *B);
  if (x[ROUTINE])
    psgemr2d_(&x[AT_M], &x[AT_N], (float*)A, &x[AT_IA], &x[AT_JA], &x[AT_A], (float*)B, &x[AT_IB], &x[AT_JB], &x[AT_B],
              &x[AT_CONTEXT]);
  else
    pdgemr2d_(&x[AT_M], &x[AT_N], A, &x[AT_IA], &x[AT_JA], &x[AT_A], B, &x[AT_IB], &x[AT_JB], &x[AT_B], &x[AT_CONTEXT]);
  printf("rank %d: the call returned\n", rank);
  free(A), free(B);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
