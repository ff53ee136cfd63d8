// What was measured of kernels, kept for this host and others.
#include <fmt/format.h>

#include <filesystem>

#include "runtime/environment.hpp"
#include "runtime/kept_file.hpp"
#include "runtime/measure/kernels.hpp"

namespace cairn {

namespace {

KernelHost host_in(const Json& entry) { return {text_in(entry, "processor"), text_in(entry, "blas")}; }

std::optional<MeasuredKernels> measured_in(const Json& entry) {
  MeasuredKernels m;
  m.by_itself = text_in(entry, "by_itself");
  if (!entry.contains("rates") || !entry["rates"].is_array()) return {};
  for (const Json& rate : entry["rates"]) {
    const KernelRate read{text_in(rate, "kernels"), positive_in(rate, "flops_per_second")};
    if (read.kernels.empty() || read.flops_per_second == 0) return {};
    m.rates.push_back(read);
  }
  if (!find_rate(m.rates, m.by_itself)) return {};
  return m;
}

Json json_of(const KernelHost& host, const MeasuredKernels& m) {
  Json entry{{"processor", host.processor}, {"blas", host.blas}, {"by_itself", m.by_itself}};
  for (const KernelRate& r : m.rates)
    entry["rates"].push_back({{"kernels", r.kernels}, {"flops_per_second", r.flops_per_second}});
  return entry;
}

constexpr Kept<KernelHost, MeasuredKernels> kept{
    "What cairn measured of OpenBLAS's kernels. Without this file it measures again.", host_in, measured_in, json_of};

std::string file_stamp(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  const auto time = std::filesystem::last_write_time(path, error);
  return error ? "" : fmt::format(" of {} bytes, {}", size, time.time_since_epoch().count());
}

}  // namespace

KernelHost this_host() {
  const BlasInfo blas = blas_info();
  // Many virtual machines tell no more than a maker's name.
  KernelHost host{
      fmt::format("{}, family {} model {}", processor(), processor_detail("cpu family"), processor_detail("model")),
      blas.file + file_stamp(blas.file)};
  for (const std::string& kernels : kernels_this_processor_runs()) host.processor += ", " + kernels;
  return host;
}

std::string kernel_cache() { return kept_file("blas_kernels.json"); }

std::optional<MeasuredKernels> remembered(const std::string& path, const KernelHost& host) {
  return kept.find(path, host);
}

bool remember(const std::string& path, const KernelHost& host, const MeasuredKernels& measured) {
  return kept.keep(path, host, measured);
}

}  // namespace cairn
