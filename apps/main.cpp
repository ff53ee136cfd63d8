// The `cairn` command. Exit codes: 0 done, 2 wrong arguments, 1 anything else that failed; then one line on stderr.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <sstream>
#include <string>

#include "cairn/error.hpp"
#include "cairn/version.hpp"
#include "commands.hpp"

namespace {

constexpr int usage_error = 2, failure = 1;

int fail(const std::string& what, int code = failure) {
  std::fprintf(stderr, "cairn: error: %s\n", what.c_str());
  return code;
}

int refuse(const std::string& what) {
  const std::optional<int> code = cairn::app::refused_by_ranks(what);
  return code ? *code : fail(what, usage_error);
}

// A variable that the shell does not know leaves an empty value, which would pass for none.
void require_values(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i], before = argv[i - 1];
    const bool option = word.starts_with("--") && word.find('=') + 1 == word.size();
    if (!word.empty() && !option) continue;
    const std::string name = option                    ? word.substr(0, word.size() - 1)
                             : before.starts_with('-') ? before
                                                       : fmt::format("argument {}", i);
    throw cairn::ArgumentError(fmt::format("{}: an empty text, expected a value", name));
  }
}

// What is wrong, by the word that is unknown if there is one, as it leaves other things missing of which CLI11 speaks.
std::string problem(const CLI::App& app, const CLI::ParseError& error) {
  std::vector<std::string> unknown = app.remaining(true);
  std::erase(unknown, "--");
  const CLI::App* command = &app;
  std::string path = app.get_name();
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    path += " " + command->get_name();
  }
  std::vector<std::string> names;
  for (const CLI::App* next : command->get_subcommands([](const CLI::App* c) { return !c->get_group().empty(); }))
    names.push_back(next->get_name());
  const std::string first = unknown.empty() ? "" : unknown.front();
  if (!names.empty())
    return fmt::format("{}{}, expected one of {}", path,
                       unknown.empty() ? " does nothing alone" : fmt::format(": '{}' is unknown", first),
                       fmt::join(names, ", "));
  if (!unknown.empty()) return fmt::format("'{}' is unknown, expected what {} --help lists", first, path);
  return error.what();
}

// Runs the subcommand; --help and --version print as it does.
void run(CLI::App& app, int argc, char** argv) {
  require_values(argc, argv);
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
    return refuse(problem(app, e));
  } catch (const cairn::ArgumentError& e) {
    return refuse(e.what());
  } catch (const std::bad_alloc&) {
    return fail("out of memory");
  } catch (const std::exception& e) {
    return fail(e.what());
  }
}
