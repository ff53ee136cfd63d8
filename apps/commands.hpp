// The subcommands of `cairn`. Each file adds its own to the app; what needs MPI is in apps/mpi.
#pragma once
#include <CLI/CLI.hpp>
#include <vector>

#include "cairn/types.hpp"

namespace cairn::app {

/// Adds a subcommand: its options, and as callback what it does. The callback throws cairn::Error.
using AddCommand = void (*)(CLI::App& app);

void add_plan(CLI::App& app);
void add_simulate(CLI::App& app);
void add_reproduce(CLI::App& app);

/// Subcommands that run over MPI: apps/mpi/commands.cpp with MPI, apps/no_mpi/commands.cpp without.
std::vector<AddCommand> commands_over_mpi();

/// "4096" (bytes), "512 MiB", "2GiB", "10MB", "100000words" as words of the given type. Throws ArgumentError.
Int words_of_memory(const std::string& text, ScalarType type);
/// Consecutive ranks of a node where `ranks` are spread over so many nodes; 0 for 0 nodes: not said.
Int ranks_per_node(Int ranks, Int nodes);
/// "float64"; throws ArgumentError listing the names.
ScalarType scalar_type_named(const std::string& name);

}  // namespace cairn::app
