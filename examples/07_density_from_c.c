// The density matrix of 128 water molecules from C, by products of block-sparse matrices.
//
//     mpirun -n 2 build/dev/examples/07_density_from_c data/water128_szv_H.mtx.gz data/water128_szv_S.mtx.gz
//
// run: 2 data/water128_szv_H.mtx.gz data/water128_szv_S.mtx.gz
// expect: H has 11744 blocks of 6 x 6, 71.7 % of all
// expect: 1024.00 electrons, -357.318 Hartree, after ... products
// expect: the same energy is tr(P H) = -357.318
#include <mpi.h>
#include <stdio.h>

#include "cairn/block_sparse.h"

static void must(cairn_status status) {
  if (status == CAIRN_OK) return;
  fprintf(stderr, "%s\n", cairn_error_message());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Called after every iteration; 0 says that it goes on. */
static int count(const cairn_iteration* iteration, void* products) {
  *(int64_t*)products += iteration->products;
  return 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 3) return 2;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  cairn_comm* comm;
  must(cairn_comm_create(MPI_Comm_c2f(MPI_COMM_WORLD), &comm));

  cairn_block_sparse *h, *s, *p;
  must(cairn_block_sparse_read(comm, CAIRN_FLOAT64, argv[1], "6", &h));
  must(cairn_block_sparse_read(comm, CAIRN_FLOAT64, argv[2], "6", &s));
  int64_t blocks;
  double occupancy;
  must(cairn_block_sparse_count(h, &blocks, &occupancy));
  if (rank == 0) printf("H has %lld blocks of 6 x 6, %.1f %% of all\n", (long long)blocks, 100 * occupancy);

  int64_t products = 0;
  cairn_function_options options;
  cairn_function_options_init(&options);
  options.eps = 1e-5;
  options.watch = count;
  options.context = &products;
  cairn_density found;
  must(cairn_density_of_electrons(h, s, 1024, &options, &p, &found));
  if (rank == 0)
    printf("%.2f electrons, %.3f Hartree, after %lld products\n", found.electrons, found.band_energy,
           (long long)products);

  double energy;
  must(cairn_block_sparse_dot(p, h, &energy));
  if (rank == 0) printf("the same energy is tr(P H) = %.3f\n", energy);

  cairn_block_sparse_free(h);
  cairn_block_sparse_free(s);
  cairn_block_sparse_free(p);
  cairn_comm_free(comm);
  MPI_Finalize();
  return 0;
}
