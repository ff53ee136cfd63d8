// What is measured, in which order, and how much of the time each part gets.
#include "calibrate.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <ctime>

#include "cairn/error.hpp"
#include "cairn/files.hpp"
#include "cairn/version.hpp"
#include "kernels.hpp"
#include "launch.hpp"
#include "progress.hpp"
#include "runtime/environment.hpp"

namespace cairn::app {

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

constexpr double of_products = 0.45, of_messages = 0.2, of_memory = 0.05, of_one_sided = 0.1, of_exchanges = 0.15,
                 of_steps = 0.05;

void measure_products(const Comm& world, double seconds, Progress& progress, Measurements& m) {
  m.sizes = product_sizes(0.7 * seconds);  // the largest shapes take what they take
  m.products = product_shapes(m.sizes);
  const double each = 0.3 * seconds / static_cast<double>(m.products.size());
  Int last = 0;
  for (ProductCost& p : m.products) {
    if (p.m != last) progress.step(fmt::format("local products, {} rows", p.m));
    last = p.m;
    measure_product(world, each, p);
  }
}

void measure_exchanges(const Comm& world, double seconds, Measurements& m) {
  if (world.size() == 1) return;
  const std::vector<Int> words{1, 1024, Int{1} << 16, Int{1} << 20};
  constexpr double kinds = 3;
  for (const char* name : {"allgather", "reduce_scatter", "bcast"})
    for (Int w : words)
      m.exchanges.push_back(measure_exchange(world, seconds / (kinds * static_cast<double>(words.size())), name, w));
}

std::string source_of(const Comm& world, double seconds) {
  const int cores = usable_cores();
  const BlasInfo blas = blas_info();
  return fmt::format("measured by cairn {} on {:%Y-%m-%d} in {:.0f} s: {} {} on {} cores{}, {}, {}{}", version,
                     fmt::gmtime(std::time(nullptr)), seconds, world.size(), world.size() == 1 ? "rank" : "ranks",
                     cores, world.size() > cores ? ", taking turns" : "", mpi_library(), blas.name,
                     blas.kernels.empty() ? "" : fmt::format(", {} kernels", blas.kernels));
}

// Others are compared with those that a program gets which `cairn` does not start.
void measure_kernels(const Comm& world, Calibration& c) {
  c.measured.kernels = kernels_in_use(world);
  if (world.rank() == 0)
    if (const auto measured = measured_now()) {
      c.measured.kernel_rates = measured->rates;
      c.advice = advice(*measured, kernels_set() ? measured->by_itself : blas_info().kernels);
    }
  world.agree(std::nullopt);  // nothing else is measured before that has ended
}

}  // namespace

Calibration calibrate(const Comm& world, const CalibrateArguments& a) {
  if (!a.output.empty()) require_writable(world, a.output, Int{1} << 20, "-o");
  const double start = now();
  Calibration c;
  Measurements& m = c.measured;
  m.ranks = world.size();
  const std::size_t rows = product_sizes(0.7 * of_products * a.seconds).size() + 2;
  Progress progress(world, static_cast<int>(rows) + 6);
  progress.step("kernels");
  measure_kernels(world, c);
  progress.step("messages");
  m.levels = measure_levels(world, of_messages * a.seconds);
  progress.step("memory");
  m.memory = measure_memory(world, of_memory * a.seconds, Int{1} << 25);
  m.wait = measure_wait(world, of_memory * a.seconds);
  progress.step("windows");
  if (world.size() > 1) m.one_sided = measure_one_sided(world, of_one_sided * a.seconds);
  progress.step("the executor's exchanges");
  measure_exchanges(world, of_exchanges * a.seconds, m);
  progress.step("the executor's steps");
  m.step = measure_step(world, of_steps * a.seconds);
  measure_products(world, of_products * a.seconds, progress, m);
  c.seconds = now() - start;
  c.machine = machine_of(m, a.name.empty() ? "calibrated" : a.name, source_of(world, c.seconds));
  return c;
}

}  // namespace cairn::app
