// Arguments that several subcommands read alike.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "base/scalars.hpp"
#include "cairn/error.hpp"
#include "commands.hpp"
#include "io/memory_size.hpp"
#include "number_checks.hpp"

namespace cairn::app {

ScalarType scalar_type_named(const std::string& name) {
  for (ScalarType t : scalar_types)
    if (name_of(t) == name) return t;
  throw ArgumentError(fmt::format("--type '{}': expected float32, float64, complex64 or complex128", name));
}

void add_planning_options(CLI::App& command, PlanningArguments& a, const std::string& example,
                          const std::string& machine, const std::string& kernels) {
  command.add_option("--memory", a.memory, "Most that a rank may hold: 2GiB, 500MB, bytes, or 100000words");
  command.add_option("--algorithm", a.options.algorithm,
                     fmt::format("One-line spelling, \"{}\", or a name; else chosen", example));
  command
      .add_option("--prefer", a.options.prefer,
                  "time; words: the fewest of all that fit; or balanced: the fewest among plans that the machine's "
                  "figures cannot tell apart")
      ->capture_default_str();
  command
      .add_option("--machine", a.options.machine,
                  "Machine to predict time for: a name or a JSON file; else $CAIRN_MACHINE, or " + machine)
      ->capture_default_str();
  command.add_option("--kernels", a.options.kernels,
                     "Kernels of OpenBLAS whose rates are assumed, SkylakeX; else " + kernels);
}

void add_schedule_options(CLI::App& command, PlanningArguments& a) {
  command.add_option("--collectives", a.options.collectives,
                     "Ways in which collectives are carried out, \"bcast=chain:8, allgather=ring\"; else chosen");
  command.add_option("--look-ahead", a.options.look_ahead, "Rounds whose panels travel early; else chosen")
      ->transform(number<int>());
  command.add_option("--max-idle", a.options.max_idle, "Largest share of ranks that may be idle, 0 to 1; else chosen")
      ->transform(number<double>());
}

void add_transport_options(CLI::App& command, PlanningArguments& a) {
  const bool dense = !std::holds_alternative<BlockProblem>(a.problem);
  command.add_option("--transport", a.options.transport,
                     dense ? "How words travel: two-sided, one-sided or node-shared; else chosen"
                           : "How panels of A and B travel: two-sided or one-sided; else chosen");
  if (!dense) return;
  command
      .add_option("--nodes", a.nodes,
                  "Nodes that the ranks are spread over evenly; else as the machine has them, or those that share "
                  "memory")
      ->transform(number<Int>(1));
}

void settle(PlanningArguments& a) {
  if (!a.type.empty()) std::visit([&](auto& problem) { problem.type = scalar_type_named(a.type); }, a.problem);
  if (!a.memory.empty()) a.options.memory_words = io::words_of_memory(a.memory, "--memory", type_of(a.problem));
  if (const Int ranks = ranks_of(a.problem); a.nodes > 0 && ranks > 0 && ranks % a.nodes != 0)
    throw ArgumentError(
        fmt::format("--nodes {}: {} {}, expected a number of nodes over which they can be spread evenly", a.nodes,
                    ranks, ranks == 1 ? "rank" : "ranks"));
  if (a.nodes > 0) a.options.ranks_per_node = ranks_of(a.problem) / a.nodes;
}

void print_all(const std::string& text) {
  if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    throw FileError("standard output: cannot be written");
}

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace cairn::app
