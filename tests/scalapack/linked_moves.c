/* A C program that redistributes and transposes matrices of every type through Cairn without preloading anything, built
 * in two ways:
 *   NAMES="linked_moves_named.h"    by Cairn's own names
 *   NAMES="linked_moves_wrapped.h"  by ScaLAPACK's names, which the linker wraps; compared with the real ones
 * Elements are small integers, so that all are exact. A is dealt by rows over a column of ranks, B by columns over a
 * row.
 */
#include <complex.h>
#include <mpi.h>
#include <stdio.h>

void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int cols);

enum { M = 70, N = 50, BLOCK = 8, TWO = 2, MOST = M * M };

typedef float complex float_complex;
typedef double complex double_complex;

#define FOR_EACH_GEMR2D(DO)    \
  DO(float, psgemr2d)          \
  DO(double, pdgemr2d)         \
  DO(float_complex, pcgemr2d)  \
  DO(double_complex, pzgemr2d) \
  DO(int, pigemr2d)
#define FOR_EACH_TRAN(DO)          \
  DO(float, pstran, )              \
  DO(double, pdtran, )             \
  DO(float_complex, pctranu, )     \
  DO(float_complex, pctranc, conj) \
  DO(double_complex, pztranu, )    \
  DO(double_complex, pztranc, conj)

#include NAMES

static int rank, ranks, column, row, wrong;

static double_complex value(int i, int j) { return i - 2 * j + (3 * i + j) * I; }
/* Global index of a local one: blocks are dealt in turn. */
static int global(int local) { return (local / BLOCK * ranks + rank) * BLOCK + local % BLOCK; }

static void expect(int right, const char* name, const char* what) {
  if (right) return;
  ++wrong;
  printf("rank %d: %s: %s\n", rank, name, what);
}

static const int m = M, n = N, one = 1;

#define DEFINE_GEMR2D(T, name)                                                               \
  static void check_##name(void) {                                                           \
    static T a[MOST], b[MOST];                                                               \
    const int desc_a[9] = {1, column, M, N, BLOCK, BLOCK, 0, 0, M};                          \
    const int desc_b[9] = {1, row, M, N, BLOCK, BLOCK, 0, 0, M};                             \
    for (int j = 0; j < N; ++j)                                                              \
      for (int i = 0; i < M; ++i) a[i + j * M] = global(i) < M ? (T)value(global(i), j) : 0; \
    OURS(name)(&m, &n, a, &one, &one, desc_a, b, &one, &one, desc_b, &column);               \
    int same = 1;                                                                            \
    for (int j = 0; global(j) < N; ++j)                                                      \
      for (int i = 0; i < M; ++i) same = same && b[i + j * M] == (T)value(i, global(j));     \
    expect(same, #name, "elements are wrong");                                               \
    COMPARE_GEMR2D(T, name)                                                                  \
  }
#define DEFINE_TRAN(T, name, op)                                                                                  \
  static void check_##name(void) {                                                                                \
    static T a[MOST], c[MOST];                                                                                    \
    const T alpha = TWO, beta = 1;                                                                                \
    const int desc_a[9] = {1, column, N, M, BLOCK, BLOCK, 0, 0, N};                                               \
    const int desc_c[9] = {1, column, M, N, BLOCK, BLOCK, 0, 0, M};                                               \
    for (int j = 0; j < M; ++j)                                                                                   \
      for (int i = 0; i < N; ++i) a[i + j * N] = global(i) < N ? (T)value(global(i), j) : 0;                      \
    for (int i = 0; i < MOST; ++i) c[i] = 1;                                                                      \
    OURS(name)(&m, &n, &alpha, a, &one, &one, desc_a, &beta, c, &one, &one, desc_c);                              \
    int same = 1;                                                                                                 \
    for (int j = 0; j < N; ++j)                                                                                   \
      for (int i = 0; global(i) < M; ++i) same = same && c[i + j * M] == TWO * (T)op(value(j, global(i))) + (T)1; \
    expect(same, #name, "elements are wrong");                                                                    \
    COMPARE_TRAN(T, name)                                                                                         \
  }
FOR_EACH_GEMR2D(DEFINE_GEMR2D)
FOR_EACH_TRAN(DEFINE_TRAN)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Cblacs_get(-1, 0, &column);
  Cblacs_gridinit(&column, "Row", ranks, 1);
  Cblacs_get(-1, 0, &row);
  Cblacs_gridinit(&row, "Row", 1, ranks);
#define CALL_GEMR2D(T, name) check_##name();
#define CALL_TRAN(T, name, op) check_##name();
  FOR_EACH_GEMR2D(CALL_GEMR2D)
  FOR_EACH_TRAN(CALL_TRAN)
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return wrong > 0;
}
