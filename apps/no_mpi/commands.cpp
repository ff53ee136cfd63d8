// Without MPI the commands that need it say so.
#include "../commands.hpp"

#include <CLI/CLI.hpp>

#include "cairn/error.hpp"

namespace cairn::app {

namespace {

void refuse(CLI::App& app, const std::string& name) {
  CLI::App* command = app.add_subcommand(name, "(needs a build with MPI)");
  command->prefix_command();  // whatever its arguments are
  command->callback(
      [name] { throw ArgumentError(name + ": this cairn was built without MPI, expected CAIRN_MPI=ON"); });
}

}  // namespace

std::vector<AddCommand> commands_over_mpi() {
  return {[](CLI::App& app) {
    for (const char* name : {"multiply", "spgemm", "cholesky", "solve", "density", "inverse", "inverse-sqrt", "sign",
                             "bench", "calibrate", "info"})
      refuse(app, name);
  }};
}

std::optional<int> refused_by_ranks(const std::string&) { return {}; }

}  // namespace cairn::app
