// Solving from C: a stiff chain of masses between two walls, its stiffness matrix in ScaLAPACK's layout.
//
//     mpirun -n 4 build/dev/examples/05_solve_from_c
//
// run: 4
// expect: INFO = 0, largest error 0.000000000
// expect: with a chain that pushes instead: INFO = 1
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "cairn/cairn.h"

enum { n = 100 };

static void must(cairn_status status) {
  if (status == CAIRN_OK) return;
  fprintf(stderr, "%s\n", cairn_error_message());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* This rank's part of a matrix whose element (i, j) is element(i, j). */
static cairn_matrix make(const cairn_layout* layout, int rank, double (*element)(int64_t i, int64_t j)) {
  const int64_t rows = cairn_layout_local_rows(layout, rank), cols = cairn_layout_local_cols(layout, rank);
  double* x = malloc((size_t)(rows * cols + 1) * sizeof *x);
  for (int64_t j = 0; j < cols; ++j)
    for (int64_t i = 0; i < rows; ++i)
      x[i + j * rows] = element(cairn_layout_global_row(layout, rank, i), cairn_layout_global_col(layout, rank, j));
  const cairn_matrix part = {layout, x, rows * cols, 0};
  return part;
}

static double pulls(int64_t i, int64_t j) { return i == j ? 2 : i - j == 1 || j - i == 1 ? -1 : 0; }
static double pushes(int64_t i, int64_t j) { return -pulls(i, j); }
/* Every mass is moved by 1: only the walls pull. */
static double forces(int64_t i, int64_t j) { return j == 0 && (i == 0 || i == n - 1) ? 1 : 0; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  cairn_comm* comm;
  must(cairn_comm_create(MPI_Comm_c2f(MPI_COMM_WORLD), &comm));
  cairn_layout *square, *column;
  must(cairn_layout_block_cyclic(n, n, 16, 16, 2, 2, 0, 0, 0, &square));
  must(cairn_layout_block_cyclic(n, 1, 16, 16, 2, 2, 0, 0, 0, &column));
  const cairn_matrix a = make(square, rank, pulls), b = make(column, rank, forces), c = make(square, rank, pushes);

  int64_t info;
  must(cairn_solve_spd(comm, CAIRN_FLOAT64, CAIRN_LOWER, &a, &b, NULL, &info, NULL));
  double worst = 0, error = 0;
  for (int64_t e = 0; e < b.words; ++e) {
    const double off = fabs(((double*)b.data)[e] - 1);
    if (off > worst) worst = off;
  }
  MPI_Reduce(&worst, &error, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("INFO = %lld, largest error %.9f\n", (long long)info, error);

  must(cairn_cholesky(comm, CAIRN_FLOAT64, CAIRN_LOWER, &c, NULL, &info, NULL));
  if (rank == 0) printf("with a chain that pushes instead: INFO = %lld\n", (long long)info);

  free(a.data), free(b.data), free(c.data);
  cairn_layout_free(square), cairn_layout_free(column);
  cairn_comm_free(comm);
  MPI_Finalize();
  return 0;
}
