#include "file_run.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>

#include "kernels.hpp"
#include "runtime/over_ranks.hpp"
#include "start.hpp"

namespace cairn::app {

namespace {

/// The least type that holds both without loss.
ScalarType common(ScalarType a, ScalarType b) {
  const bool wide = !is_single(a) || !is_single(b);
  if (is_complex(a) || is_complex(b)) return wide ? ScalarType::complex128 : ScalarType::complex64;
  return wide ? ScalarType::float64 : ScalarType::float32;
}

// The trace would take the place of what is written before it, or of an input.
void require_own_file(const Comm& world, const std::string& trace, const std::string& output,
                      const std::vector<std::string>& inputs) {
  const auto place = [](const std::string& name) {
    std::error_code error;  // then the name as it is
    const std::filesystem::path path = std::filesystem::weakly_canonical(std::filesystem::absolute(name, error), error);
    return error ? std::filesystem::path(name) : path;
  };
  std::optional<std::string> problem;
  if (place(trace) == place(output)) problem = fmt::format("--trace {}: the same file as -o, expected another", trace);
  for (const std::string& input : inputs)
    if (!input.empty() && place(trace) == place(input))
      problem = fmt::format("--trace {}: a file that is read, expected another", trace);
  world.agree(problem);
}

Order order_named(const std::string& name) {
  if (name != "C" && name != "F") throw ArgumentError(fmt::format("--order '{}': expected C or F", name));
  return name == "C" ? Order::row : Order::col;
}

}  // namespace

void add_file_options(CLI::App& command, FileArguments& a, const std::string& output, const std::string& check) {
  Options& options = a.planning.options;
  a.planning.type.clear();
  command.add_option("-o,--output", a.output, output + ", a .npy file")->required();
  add_ranks_option(command, a.ranks);
  command.add_option_function<std::string>(
      "--type", [&a](const std::string& name) { a.planning.type = name_of(scalar_type_named(name)); },
      "Type of the result: float32, float64, complex64, complex128; else the smallest that holds all matrices");
  command.add_option_function<std::string>(
      "--order", [&a](const std::string& name) { a.order = order_named(name); },
      "Storage order of the file that is written: C (by rows) or F (by columns); C unless said");
  command.add_flag("--check", a.check, check);
  command.add_flag("--verify-counts", options.verify_counts, "Fail unless every rank receives the predicted words");
  command.add_flag("--allow-nonfinite", a.allow_nonfinite, "Accept NaN and infinity in the matrices");
  command.add_option("--trace", options.trace, "Write a timeline for Perfetto (ui.perfetto.dev) to this file");
  command.add_flag("--json", a.json, "Report as JSON");
}

Stage stage_of(const Comm& world, std::string name, const RunReport& run, const Count& expected, double bound,
               bool nodes) {
  const bool differs = run.received != expected.wire_words || run.messages != expected.messages ||
                       (nodes && run.from_other_nodes != expected.node_words);
  const auto most = [&](auto mine) { return over_ranks(world, MPI_MAX, mine); };
  Stage s{std::move(name), most(run.seconds)};
  const bool longest = run.seconds == s.seconds;
  s.products = most(longest ? run.gemm_seconds : 0);
  s.waiting = most(longest ? run.wait_seconds : 0);
  s.other = most(longest ? run.other_seconds + run.redistribute_seconds : 0);
  s.received = most(run.received), s.predicted = most(expected.wire_words);
  s.from_other_nodes = most(run.from_other_nodes);
  s.messages = most(run.messages), s.copied_bytes = most(run.copied_bytes);
  s.as_predicted = most(Int{differs}) == 0;
  s.bound = bound;
  return s;
}

double RunFacts::rate() const {
  double spent = 0;
  for (const Stage& s : stages) spent += s.seconds;
  return spent > 0 ? flops / spent : 0;
}

void settle_seconds(const Comm& world, const Watch& watch, Seconds& s) {
  std::array<double, 6> most{s.prepare, s.read, s.compute, s.check, s.write, watch.total()};
  over_ranks(world, MPI_MAX, most);
  s = {most[0], most[1], most[2], most[3], most[4], most[5]};
}

ScalarType type_of_files(const std::vector<const FileInfo*>& files, const std::string& asked) {
  ScalarType type = files.front()->type;
  for (const FileInfo* file : files) type = common(type, file->type);
  if (!asked.empty()) type = scalar_type_named(asked);
  for (const FileInfo* file : files) require_readable_as(*file, type);
  return type;
}

void require_outputs(const Comm& world, const FileArguments& a, const std::vector<std::string>& inputs, ScalarType type,
                     Int m, Int n) {
  const std::string& trace = a.planning.options.trace;
  if (!trace.empty()) require_own_file(world, trace, a.output, inputs);
  require_writable(world, a.output, npy_bytes(type, m, n), "-o");
  if (!a.output.ends_with(".npy"))
    throw ArgumentError(fmt::format("-o {}: expected a file that ends with .npy", a.output));
  if (!trace.empty()) require_writable(world, trace, 0, "--trace");
}

bool is_long(double predicted_seconds, Int bytes) {
  constexpr double patience = 2, bytes_per_second = 5e8;
  return predicted_seconds + static_cast<double>(bytes) / bytes_per_second > patience;
}

void advise(const Comm& world, const FileArguments& a) {
  if (world.rank() != 0 || a.json) return;
  if (const std::string faster = remembered_advice(); !faster.empty())
    std::fprintf(stderr, "cairn: %s\n", faster.c_str());
}

}  // namespace cairn::app
