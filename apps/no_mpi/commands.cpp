// Without MPI the commands that need it say so.
#include "../commands.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>

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

int refuse(const std::string& what) {
  constexpr int usage_error = 2;
  std::fprintf(stderr, "cairn: error: %s\n", what.c_str());
  return usage_error;
}

}  // namespace cairn::app
