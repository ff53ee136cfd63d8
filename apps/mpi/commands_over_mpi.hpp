// The subcommands that run over MPI.
#pragma once

namespace CLI {
class App;
}

namespace cairn::app {

void add_multiply(CLI::App& app);
void add_spgemm(CLI::App& app);
void add_cholesky(CLI::App& app);
void add_solve(CLI::App& app);
void add_density(CLI::App& app);
void add_matrix_functions(CLI::App& app);  ///< inverse, inverse-sqrt, sign
void add_bench(CLI::App& app);
void add_calibrate(CLI::App& app);
void add_info(CLI::App& app);
/// Hidden: how `cairn` measures kernels that it does not use itself.
void add_rate_of_kernels(CLI::App& app);

}  // namespace cairn::app
