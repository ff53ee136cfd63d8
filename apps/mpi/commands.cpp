// The subcommands that run over MPI.
#include "commands.hpp"

#include "commands_over_mpi.hpp"

namespace cairn::app {

std::vector<AddCommand> commands_over_mpi() {
  return {&add_multiply,         &add_spgemm, &add_cholesky,  &add_solve, &add_density,
          &add_matrix_functions, &add_bench,  &add_calibrate, &add_info,  &add_rate_of_kernels};
}

}  // namespace cairn::app
