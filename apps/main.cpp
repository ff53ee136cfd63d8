// The `cairn` command. Exit codes: 0 done, 2 wrong arguments, 1 anything else that failed; then one line on stderr.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <sstream>

#include "cairn/error.hpp"
#include "cairn/version.hpp"
#include "commands.hpp"

namespace {

constexpr int usage_error = 2, failure = 1;

int fail(const char* what, int code) {
  std::fprintf(stderr, "cairn: error: %s\n", what);
  return code;
}

// Runs the subcommand; --help and --version print as it does.
void run(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) throw;
    std::ostringstream text;
    app.exit(e, text, text);
    cairn::app::print_all(text.str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Communication-optimal multiplication of matrices spread over many ranks", "cairn");
  app.set_version_flag("--version", std::string("cairn ") + cairn::version);
  app.require_subcommand(1);
  cairn::app::add_plan(app);
  cairn::app::add_simulate(app);
  cairn::app::add_reproduce(app);
  for (cairn::app::AddCommand add : cairn::app::commands_over_mpi()) add(app);
  if (argc == 1) {
    std::fputs(app.help().c_str(), stderr);
    return usage_error;
  }
  try {
    run(app, argc, argv);
    return 0;
  } catch (const CLI::ParseError& e) {
    return fail(e.what(), usage_error);
  } catch (const cairn::ArgumentError& e) {
    return fail(e.what(), usage_error);
  } catch (const std::exception& e) {
    return fail(e.what(), failure);
  }
}
