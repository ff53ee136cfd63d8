#include "runtime/measure/fit.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/measure/sampling.hpp"

namespace cairn {

namespace {

// Predictions that differ by less than the median of repeated measurements does are taken for equal.
constexpr double precision = 0.05;

double rate(const ProductCost& p) {
  const bool complex = p.type == ScalarType::complex64 || p.type == ScalarType::complex128;
  return (complex ? 8.0 : 2.0) * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k) /
         p.seconds;
}

std::vector<double> as_double(const std::vector<Int>& sizes) { return {sizes.begin(), sizes.end()}; }

Machine::Gemm gemm_of(const Measurements& measured) {
  const std::size_t shapes = measured.sizes.size() * measured.sizes.size() * measured.sizes.size();
  const auto table = measured.products.begin(), cubes = table + static_cast<std::ptrdiff_t>(shapes);
  double peak = 0;
  for (auto p = table; p != cubes; ++p) peak = std::max(peak, rate(*p));
  Machine::Gemm gemm;
  for (auto p = cubes; p != measured.products.end(); ++p)
    gemm.flops_per_second[static_cast<std::size_t>(p->type)] = peak * rate(*p) / rate(*cubes);
  const std::vector<double> sizes = as_double(measured.sizes);
  gemm.efficiency = {sizes, sizes, sizes, {}};
  std::vector<double> halves;  // d at which a cube runs at half the peak: d/(d + h) is its share of the peak
  for (auto p = table; p != cubes; ++p) {
    const double share = rate(*p) / peak;
    gemm.efficiency.values.push_back(share);
    if (p->m == p->n && p->n == p->k) halves.push_back(static_cast<double>(p->k) * (1 / share - 1));
  }
  gemm.half_size = median(halves);
  return gemm;
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
    level.messages.push_back({static_cast<double>(m.bytes), std::max(least, m.together - 2 * measured.loggp.o)});
  if (level.messages.size() > 1) {
    const Machine::Message &a = level.messages[level.messages.size() - 2], &b = level.messages.back();
    level.seconds_per_byte = std::max(0.0, (b.seconds - a.seconds) / (b.bytes - a.bytes));
  }
  return level;
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
  machine.shared_read_seconds_per_byte = std::max(0.0, measured.memory.shared_read - measured.memory.read);
  for (const ExchangeCost& x : measured.exchanges)
    machine.collectives.push_back({x.name + (x.name == "bcast" ? "=binomial" : "=direct"), measured.ranks,
                                   static_cast<double>(x.words) * static_cast<double>(sizeof(double)), x.seconds});
  machine.step_seconds = measured.step;
  machine.precision = precision;
  return machine;
}

}  // namespace cairn
