// What commands share that find a function of block-sparse matrices from files by iterations: `cairn density`,
// `inverse`, `inverse-sqrt`, `sign`.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "block_run.hpp"
#include "cairn/matrix_functions.hpp"
#include "progress.hpp"
#include "report_json.hpp"
#include "report_text.hpp"

namespace cairn::app {

void add_function_options(CLI::App& command, FunctionOptions& options);

/// What reports tell of all of them.
struct FunctionFacts {
  BlockSizes blocks;
  ScalarType type = ScalarType::float64;
  int ranks = 1;
  double occupancy = 0;  ///< of the result
  std::vector<Iteration> iterations;
  Seconds seconds;
  double dense = 0;  ///< seconds that a dense solution takes on one core, about

  /// Of all iterations: products, flops, words, seconds.
  Iteration sum() const;
  /// Of all of them, 10⁹ real operations.
  double operations() const { return giga_operations(static_cast<double>(sum().flops), type); }
  /// Whether that is less than what the cores spent here.
  bool dense_is_faster() const { return dense < seconds.compute * ranks; }
};

void require_square(const FileInfo& file, Int n, const char* expected);
/// Seconds that so many times n³ operations take on one core at the rate of products.
double dense_seconds(const Comm& world, ScalarType type, Int n, double operations);

/// What becomes known as it goes on is printed at once, beside a line that says what it is at. Nothing is printed
/// before the first iteration has ended: until then arguments may be refused.
class Live {
 public:
  /// `opening` makes what is printed before the first iteration.
  Live(const Comm& world, const FunctionFacts& facts, bool quiet, int steps, std::function<std::string()> opening)
      : world_(world), facts_(facts), opening_(std::move(opening)), quiet_(quiet), progress_(world, steps) {}

  void step(const char* what) { progress_.step(what); }
  void iterated(const Iteration& iteration);

 private:
  const Comm& world_;
  const FunctionFacts& facts_;
  std::function<std::string()> opening_;
  bool quiet_, begun_ = false;
  Progress progress_;
};

// --- Reports
/// The blocks, and above the table of iterations what its columns are.
void open_iterations(ReportText& text, const FunctionFacts& facts);
/// What was done, in words and seconds; `name` is what the seconds were spent on.
std::string done_text(const FunctionFacts& facts, double eps);
void close_iterations(ReportText& text, const FunctionFacts& facts, const BlockArguments& arguments, const char* name);

/// The first keys of all of them, up to the type.
Json function_json(const char* operation, const FunctionFacts& facts, Int n);
/// The last ones, from the number of iterations on.
void add_iterations(Json& json, const FunctionFacts& facts, const char* name);

}  // namespace cairn::app
