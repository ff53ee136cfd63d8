#include "start.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "cairn/error.hpp"
#include "commands.hpp"
#include "number_checks.hpp"
#include "runtime/environment.hpp"

namespace cairn::app {

namespace {

constexpr int most_ranks_unasked = 4;
constexpr int most_ranks_a_core = 64;  // a thousand on two cores bring a machine to a standstill before MPI has begun

void require_asked(const Comm& world, int asked) {
  if (asked > 0 && asked != world.size())
    throw ArgumentError(
        fmt::format("--ranks {}: found {} {}, started by an MPI launcher{}", asked, world.size(),
                    world.size() == 1 ? "rank" : "ranks",
                    world.size() == 1 ? " that may belong to another MPI than Cairn's; set CAIRN_MPIEXEC" : ""));
}

// Ranks that an MPI launcher has started are the user's own affair.
void require_startable(int ranks) {
  if (const int most = most_ranks_a_core * usable_cores(); ranks > most)
    throw ArgumentError(fmt::format("--ranks: {}, expected at most {}, {} for each core; an MPI launcher starts more",
                                    ranks, most, most_ranks_a_core));
}

// A launcher of another kind may succeed without having started any rank.
void require_output(const CLI::App& command) {
  const CLI::Option* output = command.get_option_no_throw("--output");
  if (output == nullptr || output->count() == 0) return;
  const auto path = output->as<std::string>();
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw FileError(
        fmt::format("-o {}: the MPI launcher '{}' has succeeded, but there is no such file; set CAIRN_MPIEXEC "
                    "to the one of {}",
                    path, launcher(), mpi_library()));
}

}  // namespace

void add_ranks_option(CLI::App& command, int& ranks) {
  command
      .add_option("--ranks", ranks,
                  fmt::format("Ranks to start on this machine; else as many as cores, at most {}", most_ranks_unasked))
      ->transform(number<int>(1));
}

int ranks_to_start(int asked) { return asked > 0 ? asked : std::min(usable_cores(), most_ranks_unasked); }

std::vector<std::string> words_of(const CLI::App& command, const std::string& more) {
  std::vector<std::string> words, positional{"--"};  // any value may begin with '-'
  for (const CLI::App* c = &command; c->get_parent() != nullptr; c = c->get_parent())
    words.insert(words.begin(), c->get_name());
  for (const CLI::Option* option : command.get_options())
    for (const std::string& value : option->results())
      if (option->get_positional())
        positional.push_back(value);
      else
        words.push_back(option->get_name() + "=" + value);
  if (!more.empty()) words.push_back(more);
  if (positional.size() > 1) words.insert(words.end(), positional.begin(), positional.end());
  return words;
}

void run_on_ranks(const CLI::App& command, int asked, bool quiet, const std::function<void(const Comm&)>& work) {
  const int ranks = ranks_to_start(asked);
  if (!under_launcher()) {
    if (asked == 0 && !quiet && ranks > 1)
      std::fprintf(stderr, "cairn: on %d of this machine's %d cores; --ranks says otherwise\n", ranks, usable_cores());
    const std::vector<std::string> words = words_of(command, asked == 0 ? fmt::format("--ranks={}", ranks) : "");
    require_startable(ranks);
    if (ranks > 1) {
      const int code = launch(ranks, words);
      if (code == 0) require_output(command);
      std::exit(code);
    }
    restart_with_fastest_kernels(words);
  }
  std::exit(on_all_ranks([&](const Comm& world) {
    require_asked(world, asked);
    work(world);
  }));
}

void print_once(const Comm& world, const std::string& text) {
  if (world.rank() == 0) print_all(text);
}

}  // namespace cairn::app
