#include "kernels.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <sstream>

#include "commands_over_mpi.hpp"
#include "launch.hpp"
#include "runtime/environment.hpp"

namespace cairn::app {

namespace {

constexpr const char* hidden_command = "rate-of-kernels";
// Set beside OPENBLAS_CORETYPE: what ranks tell of it.
constexpr const char* set_variable = "CAIRN_KERNELS_INSTEAD_OF";

bool somebody_chose() { return std::getenv(kernels_variable) != nullptr; }

}  // namespace

std::optional<MeasuredKernels> measured_now() {
  auto measured = measure_kernels({myself(), hidden_command});
  if (measured) remember(kernel_cache(), this_host(), *measured);
  return measured;
}

bool set_fastest_kernels() {
  const std::string own = blas_info().kernels;
  if (somebody_chose() || worth_measuring(kernels_this_processor_runs(), own).empty() || own.empty()) return false;
  auto measured = remembered(kernel_cache(), this_host());
  if (!measured || measured->by_itself != own) measured = measured_now();
  const KernelRate* const fastest = measured ? measured->faster_than(measured->by_itself) : nullptr;
  if (!fastest) return false;
  setenv(kernels_variable, value_for(fastest->kernels).c_str(), 1);
  const double times = measured->times(fastest->kernels, measured->by_itself);
  setenv(set_variable, fmt::format("{} {:.4g}", measured->by_itself, times).c_str(), 1);
  return true;
}

std::optional<KernelsSet> kernels_set() {
  const char* const text = std::getenv(set_variable);
  KernelsSet set;
  if (text == nullptr || !somebody_chose() || !(std::istringstream(text) >> set.instead_of >> set.times)) return {};
  return set;
}

std::string advice(const MeasuredKernels& measured, const std::string& kernels) {
  const KernelRate* const fastest = measured.faster_than(kernels);
  if (!fastest) return "";
  const char* const asked = kernels_set() ? nullptr : std::getenv(kernels_variable);
  return fmt::format(
      "OpenBLAS multiplies {:.1f} times as fast on this processor with its {} kernels as with {}, {}: "
      "export {}={}",
      measured.times(fastest->kernels, kernels), fastest->kernels, kernels,
      asked ? fmt::format("which {}={} asks for, so a program gains from", kernels_variable, asked)
            : "which it takes by itself, so a program gains from",
      kernels_variable, value_for(fastest->kernels));
}

std::string remembered_advice() {
  if (somebody_chose()) return "";
  const auto measured = remembered(kernel_cache(), this_host());
  return measured ? advice(*measured, blas_info().kernels) : "";
}

void add_rate_of_kernels(CLI::App& app) {
  CLI::App* rate = app.add_subcommand(hidden_command, "What `cairn info` measures of kernels, in a process for each");
  rate->group("");  // in no list of subcommands
  rate->callback([] {
    const rlimit none{0, 0};  // the processor may lack the instructions: that is no reason to keep a core file
    setrlimit(RLIMIT_CORE, &none);
    std::fputs(as_line(rate_of_kernels_in_use()).c_str(), stdout);
  });
}

}  // namespace cairn::app
