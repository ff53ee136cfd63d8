// A small JSON file with what was measured, host by host, the latest first.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cairn/error.hpp"
#include "io/atomic_file.hpp"
#include "runtime/environment.hpp"
#include "runtime/kernels/measured.hpp"

namespace cairn {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_hosts = 64;

std::string text_in(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) && object[key].is_string() ? object[key].get<std::string>() : "";
}

KernelHost host_in(const Json& entry) { return {text_in(entry, "processor"), text_in(entry, "blas")}; }

std::optional<MeasuredKernels> measured_in(const Json& entry) {
  MeasuredKernels m;
  m.by_itself = text_in(entry, "by_itself");
  if (!entry.contains("rates") || !entry["rates"].is_array()) return {};
  for (const Json& rate : entry["rates"]) {
    const std::string kernels = text_in(rate, "kernels");
    const bool told = rate.is_object() && rate.contains("flops_per_second") && rate["flops_per_second"].is_number();
    const double flops = told ? rate["flops_per_second"].get<double>() : 0;
    if (kernels.empty() || !std::isfinite(flops) || flops <= 0) return {};
    m.rates.push_back({kernels, flops});
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

/// All hosts' entries; an empty list if there is no such file, or another one.
Json entries_of(const std::string& path) {
  constexpr std::uintmax_t most_bytes = 1 << 20;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) > most_bytes)
    return Json::array();
  std::ifstream file(path, std::ios::binary);
  const Json all = Json::parse(file, nullptr, false);
  if (!all.is_object() || !all.contains("hosts") || !all["hosts"].is_array()) return Json::array();
  return all["hosts"];
}

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

std::string kernel_cache() {
  const auto directory = [](const char* variable) -> std::filesystem::path {
    const char* const value = std::getenv(variable);
    return value != nullptr && *value == '/' ? value : "";  // others are to be ignored [XDG base directories]
  };
  std::filesystem::path base = directory("XDG_CACHE_HOME");
  if (base.empty() && !directory("HOME").empty()) base = directory("HOME") / ".cache";
  return base.empty() ? "" : (base / "cairn" / "blas_kernels.json").string();
}

std::optional<MeasuredKernels> remembered(const std::string& path, const KernelHost& host) {
  for (const Json& entry : entries_of(path))
    if (host_in(entry) == host) return measured_in(entry);
  return {};
}

bool remember(const std::string& path, const KernelHost& host, const MeasuredKernels& measured) {
  if (path.empty()) return false;
  Json all{{"about", "What cairn measured of OpenBLAS's kernels. Without this file it measures again."},
           {"hosts", {json_of(host, measured)}}};
  for (const Json& entry : entries_of(path))
    if (all["hosts"].size() < most_hosts && !(host_in(entry) == host) && measured_in(entry))
      all["hosts"].push_back(entry);
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  try {
    io::AtomicFile whole(path);
    std::ofstream file(whole.temporary(), std::ios::binary);
    file << all.dump(2) << '\n';
    file.close();
    if (!file) return false;
    whole.commit();
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace cairn
