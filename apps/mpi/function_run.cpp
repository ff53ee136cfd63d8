#include "function_run.hpp"

#include <CLI/CLI.hpp>

#include "number_checks.hpp"
#include "planner/page.hpp"
#include "runtime/environment.hpp"
#include "runtime/over_ranks.hpp"
#include "start.hpp"

namespace cairn::app {

namespace {

std::string iteration_text(const Iteration& i, ScalarType type) {
  return fmt::format("  {:<20}{:>4}{:>11.2e}{:>9.1f} %{:>10}{:>9.2f}{:>14}{:>10.3f}\n", i.stage, i.number, i.residual,
                     100 * i.occupancy, i.products, giga_operations(static_cast<double>(i.flops), type),
                     grouped(i.received), i.seconds);
}

}  // namespace

void add_function_options(CLI::App& command, FunctionOptions& options) {
  command.add_option("--eps", options.eps, "Blocks of a smaller norm are left out of products")
      ->transform(number<double>(0))
      ->capture_default_str();
  command
      .add_option("--order", options.order, "Order of the iterations for inverse, inverse square root and sign, 2 to 7")
      ->transform(number<int>(2, 7))
      ->capture_default_str();
  command.add_option("--max-iterations", options.max_iterations, "Most iterations of each stage")
      ->transform(number<int>(1))
      ->capture_default_str();
}

Iteration FunctionFacts::sum() const {
  Iteration sum;
  for (const Iteration& i : iterations) {
    sum.products += i.products, sum.flops += i.flops, sum.seconds += i.seconds;
    sum.received += i.received, sum.predicted += i.predicted, sum.most_received += i.most_received;
  }
  return sum;
}

void require_square(const FileInfo& file, Int n, const char* expected) {
  if (file.rows != n || file.cols != n)
    throw ArgumentError(
        fmt::format("{} is {}x{}, expected {}x{}: {}", file.argument, file.rows, file.cols, n, n, expected));
}

double dense_seconds(const Comm& world, ScalarType type, Int n, double operations) {
  constexpr double measured_for = 0.1;
  constexpr Int block = 256;
  const double rate = measured_gemm_rate(world, type, n, n, block, 1, measured_for), order = static_cast<double>(n);
  return rate > 0 ? operations * real_operations(type) * order * order * order / rate : 0;
}

void Live::iterated(const Iteration& i) {
  if (!quiet_) {
    const std::string line = iteration_text(i, facts_.type);
    progress_.aside([&] { print_once(world_, begun_ ? line : opening_() + line); });
    begun_ = true;
  }
  progress_.now(fmt::format("{} {}, residual {:.1e}", i.stage, i.number, i.residual));
}

}  // namespace cairn::app
