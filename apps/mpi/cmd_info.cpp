// cairn info: what is really in use underneath.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cairn/version.hpp"
#include "commands_over_mpi.hpp"
#include "launch.hpp"
#include "model/machine.hpp"
#include "runtime/environment.hpp"

namespace cairn::app {

namespace {

/// The processor's own name, where the system tells it.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(':') + 2));
  return "unknown";
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string as_text() {
  const BlasInfo blas = blas_info();
  std::string text;
  const auto item = [&](const char* key, const std::string& value) { text += fmt::format("{:<16}{}\n", key, value); };
  item("Cairn", version);
  item("MPI", fmt::format("{}, MPI {}", mpi_library(), mpi_standard()));
  item("launcher", launcher());
  item("BLAS", blas.name);
  item("BLAS kernels", blas.kernels.empty() ? "not told" : blas.kernels);
  item("BLAS threads", blas.threads == 0
                           ? "not told"
                           : fmt::format("{} here; 1 a rank in `cairn multiply` on several ranks", blas.threads));
  item("BLAS file", blas.file);
  item("processor", processor());
  item("cores", fmt::format("{} usable", usable_cores()));
  item("machines", joined(machine_names()));
  return text;
}

std::string as_json() {
  const BlasInfo blas = blas_info();
  const nlohmann::ordered_json j{
      {"version", version},
      {"mpi", {{"library", mpi_library()}, {"standard", mpi_standard()}, {"launcher", launcher()}}},
      {"blas", {{"name", blas.name}, {"kernels", blas.kernels}, {"threads", blas.threads}, {"file", blas.file}}},
      {"processor", processor()},
      {"cores", usable_cores()},
      {"machines", machine_names()}};
  return j.dump(2) + '\n';
}

}  // namespace

void add_info(CLI::App& app) {
  CLI::App* info = app.add_subcommand("info", "Say which MPI, BLAS and processor are in use");
  auto json = std::make_shared<bool>(false);
  info->add_flag("--json", *json, "As JSON");
  info->callback([json] { std::fputs((*json ? as_json() : as_text()).c_str(), stdout); });
}

}  // namespace cairn::app
