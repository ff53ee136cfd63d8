// The subcommands of `cairn`. Each file adds its own to the app; what needs MPI is in apps/mpi.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cairn/plan.hpp"

namespace cairn::app {

/// Adds a subcommand: its options, and as callback what it does. The callback throws cairn::Error.
using AddCommand = void (*)(CLI::App& app);

void add_plan(CLI::App& app);
void add_simulate(CLI::App& app);
void add_reproduce(CLI::App& app);

/// Subcommands that run over MPI: apps/mpi/commands.cpp with MPI, apps/no_mpi/commands.cpp without.
std::vector<AddCommand> commands_over_mpi();

/// What a multiplication is planned for, as plan, simulate and multiply read it.
struct GemmArguments {
  GemmProblem problem;
  Options options;
  std::string type = "float64", memory;  ///< as typed
  Int nodes = 0;                         ///< 0: not said
};
/// M N K, --ranks and --type.
void add_gemm_arguments(CLI::App& gemm, GemmArguments& arguments);
/// --algorithm, --memory and what else a plan is chosen by.
void add_planning_options(CLI::App& command, GemmArguments& arguments);
/// --transport and --nodes.
void add_transport_options(CLI::App& command, GemmArguments& arguments);
/// Understands --memory and --nodes, once type and ranks are known. Throws ArgumentError.
void settle(GemmArguments& arguments);

/// "float64"; throws ArgumentError listing the names.
ScalarType scalar_type_named(const std::string& name);

/// Writes a file whole or not at all. Throws FileError.
void write_whole(const std::string& path, const std::string& text);

}  // namespace cairn::app
