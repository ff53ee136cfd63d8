// The subcommands of `cairn`. Each file adds its own to the app; what needs MPI is in apps/mpi.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cairn/any_problem.hpp"
#include "cairn/block_plan.hpp"
#include "cairn/plan.hpp"

namespace CLI {
class App;
}

namespace cairn::app {

/// Adds a subcommand: its options, and as callback what it does. The callback throws cairn::Error.
using AddCommand = void (*)(CLI::App& app);

void add_plan(CLI::App& app);
void add_simulate(CLI::App& app);
void add_reproduce(CLI::App& app);

/// Subcommands that run over MPI: apps/mpi/commands.cpp with MPI, apps/no_mpi/commands.cpp without.
std::vector<AddCommand> commands_over_mpi();

/// What is planned, and how, as typed.
struct PlanningArguments {
  AnyProblem problem;
  Options options;
  std::string type = "float64", memory;
  Int nodes = 0;  ///< 0: not said
};
/// Adds gemm, potrf, trsm and spgemm to a command, each with its sizes, --ranks, --type and what it is planned by;
/// `add` adds the command's own options, and its callback.
using AddOwn = std::function<void(CLI::App& operation, const std::shared_ptr<PlanningArguments>& arguments)>;
void add_operations(CLI::App& command, const AddOwn& add);
/// --algorithm, of which `example` is one, --memory and what else a plan is chosen by.
void add_planning_options(CLI::App& command, PlanningArguments& arguments, const std::string& example,
                          const std::string& machine, const std::string& kernels);
/// --collectives, --look-ahead and --max-idle.
void add_schedule_options(CLI::App& command, PlanningArguments& arguments);
/// --transport and --nodes.
void add_transport_options(CLI::App& command, PlanningArguments& arguments);
/// --uplo
void add_triangle_option(CLI::App& command, Uplo& triangle, const std::string& meaning);
/// Understands --type, if it is given, --memory and --nodes. Throws ArgumentError.
void settle(PlanningArguments& arguments);

/// "float64"; throws ArgumentError listing the names.
ScalarType scalar_type_named(const std::string& name);

/// If this command was started on ranks by a launcher: says on one of them what is wrong with the arguments, and
/// returns the exit code. In apps/mpi/launch.cpp with MPI, in apps/no_mpi/commands.cpp without.
std::optional<int> refused_by_ranks(const std::string& what);

/// To standard output. Throws FileError if not all of it gets there, as on a full disk.
void print_all(const std::string& text);
/// Columns of the screen that a text takes: bytes that continue a UTF-8 sequence take none.
std::size_t columns(std::string_view text);

}  // namespace cairn::app
