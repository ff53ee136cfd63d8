// cairn density H S --electrons N -o P: the density matrix of matrices from files, on ranks that it starts itself if
// need be.
#include <CLI/CLI.hpp>
#include <memory>

#include "commands_over_mpi.hpp"
#include "density.hpp"
#include "number_checks.hpp"
#include "start.hpp"

namespace cairn::app {

namespace {

void add_options(CLI::App& command, DensityArguments& a) {
  command.add_option("--electrons", a.electrons, "Electrons in closed shells, an even number")
      ->transform(number<Int>());
  command.add_option("--mu", a.mu, "Chemical potential in the unit of H, instead of a number of electrons")
      ->transform(number<double>());
  command.add_option("--method", a.method,
                     "trs4, sign or mcweeny; else trs4 for a number of electrons, sign for a chemical potential");
  add_function_options(command, a.options);
  add_block_options(command, a, "The density matrix P", "the file H");
}

}  // namespace

void add_density(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "density", "Find the density matrix of electronic structure from block-sparse matrices in files");
  const auto a = std::make_shared<DensityArguments>();
  command->add_option("H", a->h, "Hamiltonian: Matrix Market, which may be compressed with gzip, or .cbs")->required();
  command->add_option("S", a->s, "Overlap matrix, positive definite")->required();
  add_options(*command, *a);
  command->callback([command, a] { run_and_report(*command, *a, density); });
}

}  // namespace cairn::app
