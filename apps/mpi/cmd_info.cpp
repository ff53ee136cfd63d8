// cairn info: what is really in use underneath.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "cairn/version.hpp"
#include "commands.hpp"
#include "commands_over_mpi.hpp"
#include "kernels.hpp"
#include "launch.hpp"
#include "model/machine.hpp"
#include "runtime/environment.hpp"

namespace cairn::app {

namespace {

std::string kernels_text(const BlasInfo& blas, const std::optional<MeasuredKernels>& measured) {
  if (blas.kernels.empty()) return "not told";
  const KernelRate* const rate = measured ? find_rate(measured->rates, blas.kernels) : nullptr;
  return rate ? fmt::format("{}, {:.1f} GFLOP/s on one core", blas.kernels, rate->flops_per_second / 1e9)
              : blas.kernels;
}

std::string as_text() {
  const BlasInfo blas = blas_info();
  const std::optional<MeasuredKernels> measured = measured_now();
  std::string text;
  const auto item = [&](const char* key, const std::string& value) { text += fmt::format("{:<16}{}\n", key, value); };
  item("Cairn", version);
  item("MPI", fmt::format("{}, MPI {}", mpi_library(), mpi_standard()));
  item("launcher", launcher());
  item("BLAS", blas.name);
  item("BLAS kernels", kernels_text(blas, measured));
  item("BLAS threads", blas.threads == 0
                           ? "not told"
                           : fmt::format("{} here; 1 a rank in `cairn multiply` on several ranks", blas.threads));
  item("BLAS file", blas.file);
  item("processor", processor());
  item("cores", fmt::format("{} usable", usable_cores()));
  item("machines", fmt::format("{}", fmt::join(machine_names(), ", ")));
  const std::string faster = measured ? advice(*measured, blas.kernels) : "";
  return faster.empty() ? text : text + '\n' + faster + '\n';
}

using Json = nlohmann::ordered_json;

Json kernels_json(const BlasInfo& blas, const std::optional<MeasuredKernels>& measured) {
  Json rates = Json::array(), faster;
  if (measured) {
    for (const KernelRate& r : measured->rates)
      rates.push_back({{"kernels", r.kernels}, {"gflops", r.flops_per_second / 1e9}});
    if (const KernelRate* const best = measured->faster_than(blas.kernels))
      faster = {{"kernels", best->kernels},
                {"times", measured->times(best->kernels, blas.kernels)},
                {"set", fmt::format("export {}={}", kernels_variable, value_for(best->kernels))}};
  }
  return {{"measured", rates}, {"faster", faster}};
}

std::string as_json() {
  const BlasInfo blas = blas_info();
  Json j{{"version", version},
         {"mpi", {{"library", mpi_library()}, {"standard", mpi_standard()}, {"launcher", launcher()}}},
         {"blas", {{"name", blas.name}, {"kernels", blas.kernels}, {"threads", blas.threads}, {"file", blas.file}}},
         {"processor", processor()},
         {"cores", usable_cores()},
         {"machines", machine_names()}};
  j["blas"].update(kernels_json(blas, measured_now()));
  return json_text(j);
}

}  // namespace

void add_info(CLI::App& app) {
  CLI::App* info = app.add_subcommand("info", "Say which MPI, BLAS and processor are in use");
  auto json = std::make_shared<bool>(false);
  info->add_flag("--json", *json, "As JSON");
  info->callback([json] { print_all(*json ? as_json() : as_text()); });
}

}  // namespace cairn::app
