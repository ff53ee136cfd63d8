#include "runtime/measure/fit.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "runtime/measure/node_figures.hpp"
#include "runtime/measure/sampling.hpp"

namespace cairn {

namespace {

// Predictions that differ by less than the median of repeated measurements does are taken for equal.
constexpr double precision = 0.05;

double rate(const ProductCost& p) { return operations(p.type) * real(p.m) * real(p.n) * real(p.k) / p.seconds; }

std::vector<double> as_double(const std::vector<Int>& sizes) { return {sizes.begin(), sizes.end()}; }

Machine::Gemm gemm_of(const Measurements& measured) {
  constexpr std::ptrdiff_t types = 4;
  const auto table = measured.products.begin(), cubes = measured.products.end() - types;
  double peak = 0;
  for (auto p = table; p != cubes; ++p) peak = std::max(peak, rate(*p));
  Machine::Gemm gemm;
  for (auto p = cubes; p != measured.products.end(); ++p)
    gemm.flops_per_second[static_cast<std::size_t>(p->type)] = peak * rate(*p) / rate(*cubes);
  std::map<std::array<Int, 3>, double> shares;
  std::vector<double> halves;  // d at which a cube runs at half the peak: d/(d + h) is its share of the peak
  for (auto p = table; p != cubes; ++p) {
    const double share = shares[{p->m, p->n, p->k}] = rate(*p) / peak;
    if (p->m == p->n && p->n == p->k) halves.push_back(real(p->k) * (1 / share - 1));
  }
  const std::vector<Int> all = and_long(measured.sizes);
  const Int most = measured.sizes.back();
  gemm.efficiency = {as_double(all), as_double(all), as_double(all), {}};
  for (Int m : all)
    for (Int n : all)
      for (Int k : all)
        gemm.efficiency.values.push_back(is_measured(measured.sizes, m, n, k)
                                             ? shares.at({m, n, k})
                                             : shares.at({std::min(m, most), std::min(n, most), std::min(k, most)}));
  gemm.half_size = median(halves);
  gemm.kernels = measured.kernels;
  gemm.kernel_rates = measured.kernel_rates;
  return gemm;
}

// What a byte takes at least, beside L and g: no message of the table is faster, so closed forms stay lower bounds.
double least_seconds_per_byte(const Machine::Level& level) {
  double least = level.messages.empty() ? 0 : std::numeric_limits<double>::infinity();
  for (const Machine::Message& m : level.messages)
    least = std::min(least, std::max(0.0, m.seconds - level.latency_seconds - level.gap_seconds) / m.bytes);
  return least;
}

Machine::Level level_of(const Level& measured) {
  constexpr double least = 1e-9;
  Machine::Level level;
  level.name = measured.who.name;
  level.ranks = measured.who.ranks;
  level.latency_seconds = measured.loggp.L;
  level.overhead_seconds = measured.loggp.o;
  level.gap_seconds = measured.loggp.g;
  for (const MessageCost& m : measured.messages)
    level.messages.push_back({real(m.bytes), std::max(least, m.together - 2 * measured.loggp.o)});
  level.seconds_per_byte = least_seconds_per_byte(level);
  return level;
}

// A table says all there is to say: no figure of a message's parts is known.
Machine::Level level_of(const char* name, std::vector<Machine::Message> messages) {
  Machine::Level level;
  level.name = name;
  level.messages = std::move(messages);
  level.seconds_per_byte = least_seconds_per_byte(level);
  return level;
}

// A fetch takes no core of the rank that it reads.
Machine::Level windows(const std::vector<MessageCost>& measured) {
  std::vector<Machine::Message> messages;
  for (const MessageCost& m : measured) messages.push_back({real(m.bytes), m.together});
  return level_of("windows", std::move(messages));
}

std::vector<Machine::Level> levels_of(const std::vector<Level>& measured) {
  std::vector<Machine::Level> levels;
  for (const Level& l : measured) levels.push_back(level_of(l));
  for (std::size_t l = levels.size(); l-- > 1;)
    if (levels[l - 1].messages.empty()) {
      const Machine::Level next = levels[l];
      levels[l - 1] = {levels[l - 1].name,    levels[l - 1].ranks, next.latency_seconds, next.seconds_per_byte,
                       next.overhead_seconds, next.gap_seconds,    next.messages};
    }
  return levels;
}

}  // namespace

Machine machine_of(const Measurements& measured, std::string name, std::string source) {
  Machine machine;
  machine.name = std::move(name);
  machine.source = std::move(source);
  machine.levels = levels_of(measured.levels);
  machine.gemm = gemm_of(measured);
  machine.copy_seconds_per_byte = measured.memory.copy;
  machine.read_seconds_per_byte = measured.memory.read;
  if (measured.wait > 0)
    machine.shared = {std::max(0.0, measured.memory.shared_read - measured.memory.read), measured.wait};
  if (!measured.one_sided.empty()) machine.one_sided = {windows(measured.one_sided)};
  for (const ExchangeCost& x : measured.exchanges)
    machine.collectives.push_back({x.name + (x.name == "bcast" ? "=binomial" : "=direct"), measured.ranks,
                                   real(x.words) * static_cast<double>(sizeof(double)), x.seconds});
  machine.step_seconds = measured.step;
  machine.precision = precision;
  return machine;
}

Machine on_node(Machine machine, const NodeFigures& figures) {
  machine.levels = {level_of("memory", figures.messages)};
  machine.copy_seconds_per_byte = figures.copy;
  machine.read_seconds_per_byte = figures.read;
  machine.shared = {std::max(0.0, figures.read_others - figures.read), figures.wait};
  machine.source += "; messages and memory within this node as measured at their first use";
  return machine;
}

}  // namespace cairn
