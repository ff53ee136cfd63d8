#include "model/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cairn/error.hpp"

namespace cairn {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<ScalarType, 4> scalar_types{ScalarType::float32, ScalarType::float64, ScalarType::complex64,
                                                 ScalarType::complex128};

// Orders of magnitude of a current cluster with one rank on each of a node's 64 cores, not a measurement: a network
// card of 25 GB/s leaves 0.4 GB/s to each of 64 ranks that all communicate, and adds 1.5 µs; a memory of 200 GB/s
// through which 64 ranks copy in and out, six bytes moved for each received, leaves 0.5 GB/s to each, and 0.5 µs; one
// core with two AVX2 fused multiply-adds a cycle at 3 GHz does 48 GF/s in double precision, half of that at a
// dimension of 12.
// Nothing here is known better than to a tenth.
Machine generic() {
  return {"generic",
          "orders of magnitude of a current cluster, one rank a core",
          {{"node", 64, 0.5e-6, 1 / 0.5e9}, {"network", 0, 1.5e-6, 1 / 0.4e9}},
          {{96e9, 48e9, 96e9, 48e9}, 12},
          0.5e-6,
          0.1};
}

// One machine with few ranks, which talk through its memory: about 4 GB/s for each and 1 µs a message.
Machine local() {
  return {"local",
          "orders of magnitude of one workstation, one rank a core",
          {{"memory", 0, 1e-6, 1 / 4e9}},
          {{96e9, 48e9, 96e9, 48e9}, 12},
          0.5e-6,
          0.1};
}

// Reads members of an object and says what is wrong in terms of the file.
struct Reader {
  const Json& object;
  std::string where;

  [[noreturn]] void refuse(std::string_view key, std::string_view expected) const {
    throw FileError(fmt::format("{}: \"{}\": expected {}", where, key, expected));
  }
  const Json& member(const char* key, std::string_view expected) const {
    if (!object.is_object() || !object.contains(key)) refuse(key, expected);
    return object.at(key);
  }
  double number(const char* key, bool positive) const {
    const std::string_view expected = positive ? "a number above 0" : "a number, 0 or above";
    const Json& value = member(key, expected);
    if (!value.is_number()) refuse(key, expected);
    const auto x = value.get<double>();
    if (!std::isfinite(x) || x < 0 || (positive && x == 0)) refuse(key, expected);
    return x;
  }
  std::string text(const char* key) const {
    const Json& value = member(key, "a text");
    if (!value.is_string()) refuse(key, "a text");
    return value.get<std::string>();
  }
};

Machine::Level read_level(const Json& json, const std::string& where) {
  const Reader r{json, where};
  const std::string_view expected = "a number of ranks, 0 for unlimited";
  const Json& ranks = r.member("ranks", expected);
  if (!ranks.is_number_integer() || ranks.get<Int>() < 0) r.refuse("ranks", expected);
  return {r.text("name"), ranks.get<Int>(), r.number("latency_seconds", false), r.number("seconds_per_byte", false)};
}

void require_nested(const std::vector<Machine::Level>& levels, const std::string& where) {
  bool nested = !levels.empty() && levels.back().ranks == 0;
  for (std::size_t l = 0; l + 1 < levels.size(); ++l)
    nested = nested && levels[l].ranks > (l == 0 ? 0 : levels[l - 1].ranks);
  if (!nested)
    throw FileError(fmt::format(
        "{}: \"levels\": expected units of ascending numbers of ranks, the last with 0 for unlimited", where));
}

}  // namespace

double Machine::peak_seconds(double products, ScalarType type) const {
  const bool complex = type == ScalarType::complex64 || type == ScalarType::complex128;
  const double flops = (complex ? 8 : 2) * products;
  return flops / gemm.flops_per_second[static_cast<std::size_t>(type)];
}

double Machine::gemm_seconds(Int m, Int n, Int k, ScalarType type) const {
  if (m <= 0 || n <= 0 || k <= 0) return 0;
  const double products = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  return peak_seconds(products, type) * (1 + gemm.half_size / static_cast<double>(std::min({m, n, k})));
}

std::size_t Machine::level_of(Int ranks) const {
  std::size_t l = 0;
  while (l + 1 < levels.size() && levels[l].ranks < ranks) ++l;
  return l;
}

std::vector<std::string> machine_names() { return {"generic", "local"}; }

Machine find_machine(const std::string& name_or_path) {
  if (name_or_path == "generic") return generic();
  if (name_or_path == "local") return local();
  const bool path = name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json");
  std::error_code none;
  if (!path && !std::filesystem::is_regular_file(name_or_path, none))
    throw ArgumentError(fmt::format("machine: '{}' is unknown, expected one of {}, or a JSON file", name_or_path,
                                    fmt::join(machine_names(), ", ")));
  std::ifstream file(name_or_path, std::ios::binary);
  std::ostringstream text;
  if (!file || std::filesystem::is_directory(name_or_path, none) || !(text << file.rdbuf()))
    throw FileError(fmt::format("{}: expected a readable JSON file with a machine's figures", name_or_path));
  return parse_machine(text.str(), name_or_path);
}

Machine parse_machine(std::string_view json, const std::string& where) {
  const Json all = Json::parse(json, nullptr, false);
  if (!all.is_object()) throw FileError(fmt::format("{}: expected a JSON object with a machine's figures", where));
  const Reader r{all, where};
  Machine machine;
  machine.name = r.text("name");
  machine.source = r.text("source");
  const Json& levels = r.member("levels", "a list of levels");
  if (!levels.is_array()) r.refuse("levels", "a list of levels");
  for (std::size_t l = 0; l < levels.size(); ++l)
    machine.levels.push_back(read_level(levels[l], fmt::format("{}: level {}", where, l + 1)));
  require_nested(machine.levels, where);
  const Reader gemm{r.member("gemm", "an object"), where + ": gemm"};
  const Reader flops{gemm.member("flops_per_second", "an object"), where + ": gemm: flops_per_second"};
  for (ScalarType type : scalar_types)
    machine.gemm.flops_per_second[static_cast<std::size_t>(type)] =
        flops.number(std::string(name_of(type)).c_str(), true);
  machine.gemm.half_size = gemm.number("half_size", false);
  machine.step_seconds = r.number("step_seconds", false);
  machine.precision = r.number("precision", false);
  return machine;
}

std::string print_machine(const Machine& machine) {
  Json json;
  json["name"] = machine.name;
  json["source"] = machine.source;
  json["levels"] = Json::array();
  for (const Machine::Level& l : machine.levels)
    json["levels"].push_back({{"name", l.name},
                              {"ranks", l.ranks},
                              {"latency_seconds", l.latency_seconds},
                              {"seconds_per_byte", l.seconds_per_byte}});
  for (ScalarType type : scalar_types)
    json["gemm"]["flops_per_second"][std::string(name_of(type))] =
        machine.gemm.flops_per_second[static_cast<std::size_t>(type)];
  json["gemm"]["half_size"] = machine.gemm.half_size;
  json["step_seconds"] = machine.step_seconds;
  json["precision"] = machine.precision;
  return json.dump(2) + "\n";
}

}  // namespace cairn
