#include "runtime/measure/kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <sstream>

#include "local/kernels/host_blas.hpp"
#include "runtime/environment.hpp"
#include "runtime/subprocess.hpp"

namespace cairn {

namespace {

constexpr double worth = 1.1;

/// Seconds that this process's cores were at work, however long others kept them from it.
double core_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// In a process of its own, with OPENBLAS_CORETYPE as given, or unset.
std::optional<KernelRate> rate_elsewhere(const std::vector<std::string>& command,
                                         const std::optional<std::string>& value) {
  constexpr double patience = 5;  // seconds; it takes a hundredth of that
  // The words of the environment are those of OpenBLAS; ranks use one thread each, and nothing else is compared.
  const auto text = output_of(command, {{kernels_variable, value}, {"OPENBLAS_NUM_THREADS", "1"}}, patience);
  return text ? rate_in(*text) : std::nullopt;
}

void keep_best(std::vector<KernelRate>& rates, const KernelRate& rate) {
  for (KernelRate& r : rates)
    if (same_kernels(r.kernels, rate.kernels)) {
      r.flops_per_second = std::max(r.flops_per_second, rate.flops_per_second);
      return;
    }
  rates.push_back(rate);
}

/// Whether the wider vectors are not the faster ones: then the machine may just have been busy with something else.
bool surprising(const MeasuredKernels& m) {
  return std::any_of(m.rates.begin(), m.rates.end(), [&](const KernelRate& r) {
    const double wider = flops_per_cycle(r.kernels) / std::max(1.0, flops_per_cycle(m.by_itself));
    return wider > 1 && m.times(r.kernels, m.by_itself) < worth;
  });
}

}  // namespace

std::string value_for(const std::string& kernels) {
  std::string value = kernels;
  for (char& c : value) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return value;
}

const KernelRate* MeasuredKernels::faster_than(const std::string& kernels) const {
  const KernelRate* const those = find_rate(rates, kernels);
  if (!those) return nullptr;
  const auto fastest = std::max_element(rates.begin(), rates.end(), [](const KernelRate& a, const KernelRate& b) {
    return a.flops_per_second < b.flops_per_second;
  });
  return fastest->flops_per_second > worth * those->flops_per_second ? &*fastest : nullptr;
}

double MeasuredKernels::times(const std::string& kernels, const std::string& others) const {
  const KernelRate *a = find_rate(rates, kernels), *b = find_rate(rates, others);
  return a && b ? a->flops_per_second / b->flops_per_second : 0;
}

std::vector<std::string> kernels_this_processor_runs() {
  std::vector<std::string> names;
#if defined(__x86_64__)
  // As GCC and Clang ask: what the operating system does not save is not there.
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512cd");
  if (avx512) names.emplace_back("SkylakeX");
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    names.emplace_back("Haswell");
  else if (__builtin_cpu_supports("avx"))
    names.emplace_back("Sandybridge");
#endif
  return names;
}

std::vector<std::string> worth_measuring(const std::vector<std::string>& runnable, const std::string& by_itself) {
  std::vector<std::string> others;
  for (const std::string& kernels : runnable)
    if (flops_per_cycle(kernels) != flops_per_cycle(by_itself)) others.push_back(kernels);
  return others;
}

KernelRate rate_of_kernels_in_use() {
  KernelRate rate{blas_info().kernels, 0};
  if (rate.kernels.empty()) return rate;
  use_one_blas_thread();
  constexpr Int order = 768, warm = 128, most = 6;
  constexpr double enough = 0.04, flops = 2.0 * order * order * order;
  const auto words = static_cast<std::size_t>(order * order);
  const std::vector<double> A(words, 1), B(words, 1);
  std::vector<double> C(words, 0);
  const auto multiply = [&](Int n) {
    local_gemm<double>(1, {A.data(), n, n, n, Order::col}, {B.data(), n, n, n, Order::col}, 0,
                       {C.data(), n, n, n, Order::col});
  };
  multiply(warm);
  const double begin = core_seconds();
  for (Int run = 0; run < most && (run == 0 || core_seconds() - begin < enough); ++run) {
    const double start = core_seconds();
    multiply(order);
    rate.flops_per_second = std::max(rate.flops_per_second, flops / std::max(1e-6, core_seconds() - start));
  }
  return rate;
}

std::string as_line(const KernelRate& rate) { return fmt::format("{} {:.6g}\n", rate.kernels, rate.flops_per_second); }

std::optional<KernelRate> rate_in(const std::string& line) {
  std::istringstream words(line);
  KernelRate rate;
  std::string more;
  if (!(words >> rate.kernels >> rate.flops_per_second) || words >> more) return {};
  if (!std::isfinite(rate.flops_per_second) || rate.flops_per_second <= 0) return {};
  return rate;
}

std::optional<MeasuredKernels> measure_kernels(const std::vector<std::string>& command) {
  if (blas_info().kernels.empty()) return {};
  const auto by_itself = rate_elsewhere(command, std::nullopt);
  if (!by_itself) return {};
  MeasuredKernels m{by_itself->kernels, {*by_itself}};
  const auto measure = [&](const std::string& value) {
    // OpenBLAS takes others where it does not know the name: what it says that it uses is what was measured.
    if (const auto rate = rate_elsewhere(command, value)) keep_best(m.rates, *rate);
  };
  const std::vector<std::string> others = worth_measuring(kernels_this_processor_runs(), m.by_itself);
  for (const std::string& kernels : others) measure(value_for(kernels));
  if (const char* const asked = std::getenv(kernels_variable); asked && !find_rate(m.rates, blas_info().kernels))
    measure(asked);
  if (surprising(m)) {
    if (const auto again = rate_elsewhere(command, std::nullopt)) keep_best(m.rates, *again);
    for (const std::string& kernels : others) measure(value_for(kernels));
  }
  return m;
}

}  // namespace cairn
