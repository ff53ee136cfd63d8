// cairn density H S --electrons N -o P: the density matrix of matrices from files, on ranks that it starts itself if
// need be.
#include <CLI/CLI.hpp>
#include <memory>

#include "cairn/error.hpp"
#include "commands_over_mpi.hpp"
#include "density.hpp"
#include "number_checks.hpp"
#include "start.hpp"

namespace cairn::app {

namespace {

[[noreturn]] void run(const CLI::App& command, const DensityArguments& a) {
  run_on_ranks(command, a.ranks, a.json, [&](const Comm& world) {
    if (a.electrons.has_value() == a.mu.has_value())
      throw ArgumentError("density: expected either --electrons or --mu, the chemical potential");
    const DensityReport report = density(world, a, terminal());
    print_once(world, a.json ? as_json(report, a) : closing_text(report, a, terminal()));
  });
}

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
  command->callback([command, a] { run(*command, *a); });
}

}  // namespace cairn::app
