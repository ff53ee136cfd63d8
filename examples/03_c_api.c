// The same from C: plan, ask what it will move, run.
//
// run: 4
// expect: cosma pm2,pn2 on 4 ranks, 16 words received by rank 0
// expect: C(3, 2) = 68
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "cairn/cairn.h"

static void must(cairn_status status) {
  if (status == CAIRN_OK) return;
  fprintf(stderr, "%s\n", cairn_error_message());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* This rank's part of a matrix, its elements i + j. */
static cairn_matrix make(const cairn_layout* layout, int rank) {
  const int64_t rows = cairn_layout_local_rows(layout, rank), cols = cairn_layout_local_cols(layout, rank);
  const int col = cairn_layout_order(layout) == CAIRN_COL;
  double* x = malloc((size_t)(rows * cols + 1) * sizeof *x);
  for (int64_t j = 0; j < cols; ++j)
    for (int64_t i = 0; i < rows; ++i)
      x[col ? i + j * rows : i * cols + j] =
          (double)(cairn_layout_global_row(layout, rank, i) + cairn_layout_global_col(layout, rank, j));
  const cairn_matrix part = {layout, x, rows * cols, 0};
  return part;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  cairn_comm* comm;
  must(cairn_comm_create(MPI_Comm_c2f(MPI_COMM_WORLD), &comm));
  const cairn_problem problem = {8, 8, 4, ranks, CAIRN_FLOAT64, CAIRN_NONE, CAIRN_NONE, NULL, NULL, NULL};
  cairn_options options;
  cairn_options_init(&options);
  options.algorithm = "cosma pm2,pn2";
  cairn_plan* plan;
  must(cairn_plan_create(&problem, &options, &plan));
  cairn_count count;
  must(cairn_plan_count(plan, 0, &count));
  if (rank == 0)
    printf("%s on %d ranks, %lld words received by rank 0\n", cairn_plan_algorithm(plan), ranks,
           (long long)count.received);

  cairn_layout *la, *lb, *lc;
  must(cairn_plan_layouts(plan, &la, &lb, &lc));
  const cairn_matrix a = make(la, rank), b = make(lb, rank), c = make(lc, rank);
  cairn_multiplication* multiplication;
  must(cairn_multiplication_create(comm, plan, &multiplication));
  const double alpha = 1, beta = 0;
  must(cairn_multiplication_run(multiplication, &alpha, &a, &b, &beta, &c, NULL));

  for (int64_t j = 0; j < cairn_layout_local_cols(lc, rank); ++j)
    for (int64_t i = 0; i < cairn_layout_local_rows(lc, rank); ++i)
      if (cairn_layout_global_row(lc, rank, i) == 3 && cairn_layout_global_col(lc, rank, j) == 2)
        printf("C(3, 2) = %g\n", ((double*)c.data)[i + j * cairn_layout_local_rows(lc, rank)]);

  free(a.data), free(b.data), free(c.data);
  cairn_multiplication_free(multiplication);
  cairn_layout_free(la), cairn_layout_free(lb), cairn_layout_free(lc);
  cairn_plan_free(plan);
  cairn_comm_free(comm);
  MPI_Finalize();
  return 0;
}
