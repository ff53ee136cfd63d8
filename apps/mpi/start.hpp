// A subcommand that runs on several ranks, which it starts itself unless an MPI launcher did.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "launch.hpp"

namespace CLI {
class App;
}

namespace cairn::app {

/// --ranks.
void add_ranks_option(CLI::App& command, int& ranks);
/// As many as asked for; 0: as many as cores, at most 4.
int ranks_to_start(int asked);

/// The words after the program's name that CLI11 has understood as this subcommand, for the ranks to read again, and
/// `more`, an option in one word, unless it is empty.
std::vector<std::string> words_of(const CLI::App& command, const std::string& more);

/// Runs work on all ranks, and ends the process, as MPI ended before it: the ranks must not go on to print what is
/// printed once. `asked` ranks, 0: not said. Says on standard error how many ranks nobody asked for, unless `quiet`.
[[noreturn]] void run_on_ranks(const CLI::App& command, int asked, bool quiet,
                               const std::function<void(const Comm& world)>& work);

/// Rank 0 prints to standard output, the others nothing. Throws FileError if that is not possible.
void print_once(const Comm& world, const std::string& text);

/// What make(world, arguments) did on all ranks is reported once, as JSON or as text.
template <class Arguments, class Make>
[[noreturn]] void run_and_report(const CLI::App& command, const Arguments& arguments, const Make& make) {
  run_on_ranks(command, arguments.ranks, arguments.json, [&](const Comm& world) {
    const auto report = make(world, arguments);
    print_once(world, arguments.json ? as_json(report, arguments) : as_text(report, arguments));
  });
}

}  // namespace cairn::app
