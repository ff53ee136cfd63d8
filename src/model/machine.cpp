#include "model/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/scalars.hpp"
#include "cairn/error.hpp"

namespace cairn {

namespace {

// Where x lies among ascending sizes, in logarithms: between entry `at` and the next one, `share` of the way.
struct Place {
  std::size_t at;
  double share;
};
Place place(const std::vector<double>& sizes, double x) {
  if (x <= sizes.front() || sizes.size() == 1) return {0, 0};
  if (x >= sizes.back()) return {sizes.size() - 2, 1};
  const auto next = std::upper_bound(sizes.begin(), sizes.end(), x);
  const double lo = *(next - 1), hi = *next;
  return {static_cast<std::size_t>(next - sizes.begin()) - 1, std::log(x / lo) / std::log(hi / lo)};
}

// Between measured sizes linear in the logarithms of both. Above the largest, bytes take as long each as in that; below
// the smallest, as long as that.
double measured(const std::vector<Machine::Message>& table, double bytes) {
  const auto next =
      std::upper_bound(table.begin(), table.end(), bytes, [](double x, const auto& m) { return x < m.bytes; });
  if (next == table.begin()) return table.front().seconds;
  if (next == table.end()) return table.back().seconds * bytes / table.back().bytes;
  const Machine::Message &a = *(next - 1), &b = *next;
  const double share = std::log(bytes / a.bytes) / std::log(b.bytes / a.bytes);
  return a.seconds * std::pow(b.seconds / a.seconds, share);
}

}  // namespace

double Machine::Level::port_seconds(double bytes) const {
  if (messages.empty()) return gap_seconds + bytes * seconds_per_byte;
  return std::max(gap_seconds, measured(messages, bytes) - latency_seconds);
}

double Machine::Efficiency::at(double x, double y, double z) const {
  const Place a = place(m, x), b = place(n, y), c = place(k, z);
  const auto value = [&](std::size_t i, std::size_t j, std::size_t l) {
    const std::size_t row = std::min(a.at + i, m.size() - 1), col = std::min(b.at + j, n.size() - 1);
    return values[(row * n.size() + col) * k.size() + std::min(c.at + l, k.size() - 1)];
  };
  double sum = 0;
  for (std::size_t i : {0U, 1U})
    for (std::size_t j : {0U, 1U})
      for (std::size_t l : {0U, 1U})
        sum += (i ? a.share : 1 - a.share) * (j ? b.share : 1 - b.share) * (l ? c.share : 1 - c.share) * value(i, j, l);
  return sum;
}

double Machine::peak_seconds(double products, ScalarType type) const {
  return operations(type) * products / gemm.flops_per_second[static_cast<std::size_t>(type)];
}

double Machine::gemm_seconds(Int m, Int n, Int k, ScalarType type) const {
  if (m <= 0 || n <= 0 || k <= 0) return 0;
  const auto x = static_cast<double>(m), y = static_cast<double>(n), z = static_cast<double>(k);
  const double peak = peak_seconds(x * y * z, type);
  if (!gemm.efficiency.empty()) return peak / gemm.efficiency.at(x, y, z);
  return peak * (1 + gemm.half_size / std::min({x, y, z}));
}

const Machine::Level& Machine::between(Int a, Int b) const {
  std::size_t l = 0;
  while (l + 1 < levels.size() && a / levels[l].ranks != b / levels[l].ranks) ++l;
  return levels[l];
}

std::size_t Machine::level_of(Int ranks) const {
  std::size_t l = 0;
  while (l + 1 < levels.size() && levels[l].ranks < ranks) ++l;
  return l;
}

Machine Machine::by(Transport transport) const {
  Machine m = *this;
  if (transport == Transport::one_sided && !one_sided.empty()) m.levels = one_sided;
  return m;
}

namespace {

// How much faster products are with these kernels than with those of the peaks; 0 if it is not known.
double speed_over_peak(const Machine::Gemm& gemm, std::string_view kernels) {
  const KernelRate *now = find_rate(gemm.kernel_rates, kernels), *then = find_rate(gemm.kernel_rates, gemm.kernels);
  if (now && then) return now->flops_per_second / then->flops_per_second;
  const double cycle = flops_per_cycle(kernels), cycle_then = flops_per_cycle(gemm.kernels);
  return cycle > 0 && cycle_then > 0 ? cycle / cycle_then : 0;
}

}  // namespace

Machine Machine::with_kernels(std::string_view wanted) const {
  if (wanted.empty() || same_kernels(wanted, gemm.kernels)) return *this;
  const KernelRate* const measured_ones = find_rate(gemm.kernel_rates, wanted);
  const std::string_view spelled = measured_ones ? std::string_view(measured_ones->kernels) : kernels_named(wanted);
  if (spelled.empty())
    throw ArgumentError(
        fmt::format("kernels: '{}' is unknown, expected one of {}", wanted, fmt::join(kernel_names(), ", ")));
  Machine m = *this;
  const double speed = speed_over_peak(gemm, spelled);
  if (speed == 0) return m;
  for (double& peak : m.gemm.flops_per_second) peak *= speed;
  m.gemm.kernels = spelled;
  return m;
}

Int Machine::ranks_per_node() const {
  for (const Level& l : levels)
    if (l.name == "node") return l.ranks;
  return levels.front().ranks;
}

}  // namespace cairn
