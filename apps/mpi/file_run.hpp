// What commands share that read matrices from files, compute with them on several ranks, and write a matrix.
#pragma once
#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "cairn/files.hpp"
#include "cairn/report.hpp"
#include "commands.hpp"

namespace cairn::app {

struct FileArguments {
  std::string output;
  /// Sizes and scalar type follow from the files; an empty type: what holds all of them.
  PlanningArguments planning;
  Order order = Order::row;
  int ranks = 0;  ///< 0: not said
  bool check = false, json = false, allow_nonfinite = false;

  ReadOptions reading() const { return {.allow_nonfinite = allow_nonfinite}; }
};
/// -o, --ranks, --type and what else such a command takes; `output` and `check` say what is written and what checked.
void add_file_options(CLI::App& command, FileArguments& arguments, const std::string& output, const std::string& check);

class Watch {
 public:
  /// Seconds since the last lap.
  double lap() {
    const auto before = last_;
    last_ = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(last_ - before).count();
  }
  double total() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_ = start_;
};

/// How long the parts of a run took; 0 of those that it has not.
struct Seconds {
  double prepare = 0, read = 0, compute = 0, check = 0, write = 0, all = 0;
};
/// At the end of a run: `all` is what the watch says, and every part becomes the longest of any rank. Collective.
void settle_seconds(const Comm& world, const Watch& watch, Seconds& seconds);

/// Something that was run, as reports tell it: figures are the largest of any rank, the parts of its seconds those of
/// the rank that took longest.
struct Stage {
  std::string name;  ///< "multiply"
  double seconds = 0, products = 0, waiting = 0, other = 0;
  Int received = 0, predicted = 0, from_other_nodes = 0;  ///< words
  double bound = 0;                                       ///< words that some rank must receive
  Int messages = 0, copied_bytes = 0;
  bool as_predicted = false;  ///< words and messages, on every rank
};
/// Collective. Words from other nodes are compared, too, where `nodes` says so.
Stage stage_of(const Comm& world, std::string name, const RunReport& run, const Count& expected, double bound,
               bool nodes);

/// What reports tell of every run.
struct RunFacts {
  int ranks = 1;
  ScalarType type = ScalarType::float64;
  Seconds seconds;  ///< without `compute`: the stages have their own
  std::vector<Stage> stages;
  double flops = 0;                 ///< real operations of all stages
  double gemm_rate = 0;             ///< operations per second of local products that the ranks would reach undisturbed
  std::string transport, obstacle;  ///< in use, and why it is not the plan's
  std::string kernels;              ///< of rank 0's BLAS; empty if it does not tell

  /// Operations per second of all stages.
  double rate() const;
};

/// Real operations that additions and multiplications of this type are.
inline double real_operations(ScalarType type) { return is_complex(type) ? 4 : 1; }

/// The type asked for, or the least that holds all files without loss. Throws ArgumentError if a file does not fit.
ScalarType type_of_files(const std::vector<const FileInfo*>& files, const std::string& asked);

/// What it says after "memory: ", the library's name of the argument.
inline std::string unnamed(const MemoryError& error) {
  const std::string what = error.what(), name = "memory: ";
  return what.starts_with(name) ? what.substr(name.size()) : what;
}

/// What `make` makes of the options, at the rates of the kernels in use; a MemoryError names what was typed.
template <class Make>
auto planned(const Comm& world, const AnyProblem& problem, PlanningArguments planning, const Make& make) {
  if (planning.options.kernels.empty()) planning.options.kernels = kernels_in_use(world);
  planning.problem = problem;
  settle(planning);
  try {
    return make(planning.options);
  } catch (const MemoryError& e) {
    throw MemoryError(fmt::format("--memory {}: {} (a word is {} bytes)", planning.memory, unnamed(e),
                                  size_of(cairn::type_of(problem))));
  }
}

/// Throws FileError unless the output, an m × n matrix, and the trace could be written, and ArgumentError if the trace
/// is one of the other files. Collective.
void require_outputs(const Comm& world, const FileArguments& arguments, const std::vector<std::string>& inputs,
                     ScalarType type, Int m, Int n);

/// Whether so many seconds and bytes of files are so many that somebody at a terminal wants to see that it goes on.
bool is_long(double predicted_seconds, Int bytes);

template <class T>
DistMatrix<T> copy_of(const DistMatrix<T>& X) {
  auto copy = DistMatrix<T>::own(X.layout(), X.rank());
  std::copy(X.data(), X.data() + X.words(), copy.data());
  return copy;
}

/// Says on standard error if other kernels are known to be faster, unless JSON is wanted.
void advise(const Comm& world, const FileArguments& arguments);

}  // namespace cairn::app
