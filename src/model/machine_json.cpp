// Machines as JSON; the keys are documented in docs/plan_json.md and stable.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/json_text.hpp"
#include "base/scalars.hpp"
#include "cairn/error.hpp"
#include "model/machine.hpp"

namespace cairn {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_entries = 1000000;  // of a table

// Reads members of an object and says what is wrong in terms of the file.
struct Reader {
  const Json& object;
  std::string where;
  mutable std::vector<std::string> asked{};  // keys, in order

  [[noreturn]] void refuse(std::string_view key, std::string_view expected) const {
    throw FileError(fmt::format("{}: \"{}\": expected {}", where, key, expected));
  }
  // Once all is read. A key that nobody has asked for would leave the figure that it was to name at its default.
  void require_known() const {
    if (!object.is_object()) return;
    for (const auto& item : object.items())
      if (std::find(asked.begin(), asked.end(), item.key()) == asked.end())
        throw FileError(
            fmt::format("{}: \"{}\" is unknown, expected one of {}", where, item.key(), fmt::join(asked, ", ")));
  }
  bool has(const char* key) const {
    if (std::find(asked.begin(), asked.end(), key) == asked.end()) asked.emplace_back(key);
    return object.is_object() && object.contains(key);
  }
  const Json& member(const char* key, std::string_view expected) const {
    if (!has(key)) refuse(key, expected);
    return object.at(key);
  }
  // Its products with others, and sums of these, are to be numbers, too.
  static constexpr double most = 1e30;
  static constexpr std::string_view in_range = "a number between 1e-30 and 1e30";
  static std::string each_in_range() { return fmt::format("a list, each entry of which is {}", in_range); }
  double number(const char* key, bool positive) const {
    const std::string_view expected = positive ? "a number above 0" : "a number, 0 or above";
    const Json& value = member(key, expected);
    if (!value.is_number()) refuse(key, expected);
    const auto x = value.get<double>();
    if (!std::isfinite(x) || x < 0 || (positive && x == 0)) refuse(key, expected);
    if (x > most || (x > 0 && x < 1 / most)) refuse(key, in_range);
    return x;
  }
  double number_or_0(const char* key) const { return has(key) ? number(key, false) : 0; }
  Int count(const char* key, Int least, std::string_view expected) const {
    const Json& value = member(key, expected);
    const bool fits = value.is_number_integer() && !(value.is_number_unsigned() && value.get<std::uint64_t>() >> 63);
    if (!fits || value.get<Int>() < least) refuse(key, expected);
    return value.get<Int>();
  }
  std::string text(const char* key) const {
    const Json& value = member(key, "a text");
    if (!value.is_string()) refuse(key, "a text");
    return value.get<std::string>();
  }
  // Calls read(entry, its own reader) for every entry of a list; an absent list has none.
  template <class Read>
  void each(const char* key, std::string_view what, Read read) const {
    if (!has(key)) return;
    const Json& list = object.at(key);
    const std::string expected = fmt::format("a list of {}s", what);
    if (!list.is_array() || list.size() > most_entries) refuse(key, expected);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Reader entry{list[i], fmt::format("{}: {} {}", where, what, i + 1)};
      read(entry);
      entry.require_known();
    }
  }
  // Ascending numbers above 0.
  std::vector<double> sizes(const char* key) const {
    const std::string_view expected = "a list of ascending numbers above 0";
    const Json& list = member(key, expected);
    std::vector<double> x;
    if (!list.is_array() || list.empty() || list.size() > most_entries) refuse(key, expected);
    for (const Json& value : list) {
      if (!value.is_number()) refuse(key, expected);
      const auto v = value.get<double>();
      if (!std::isfinite(v) || v <= (x.empty() ? 0 : x.back())) refuse(key, expected);
      if (v > most || v < 1 / most) refuse(key, each_in_range());
      x.push_back(v);
    }
    return x;
  }
};

Machine::Level read_level(const Reader& r) {
  Machine::Level l;
  l.name = r.text("name");
  l.ranks = r.count("ranks", 0, "a number of ranks, 0 for unlimited");
  l.latency_seconds = r.number("latency_seconds", false);
  l.seconds_per_byte = r.number("seconds_per_byte", false);
  l.overhead_seconds = r.number_or_0("overhead_seconds");
  l.gap_seconds = r.number_or_0("gap_seconds");
  r.each("messages", "message", [&](const Reader& m) {
    const Machine::Message next{m.number("bytes", true), m.number("seconds", true)};
    if (!l.messages.empty() && next.bytes <= l.messages.back().bytes)
      m.refuse("bytes", "more than in the message before");
    l.messages.push_back(next);
  });
  return l;
}

Machine::Efficiency read_efficiency(const Reader& r) {
  Machine::Efficiency e{r.sizes("m"), r.sizes("n"), r.sizes("k"), {}};
  const std::size_t count = e.m.size() * e.n.size() * e.k.size();
  const std::string expected = fmt::format("{} numbers above 0, up to 1: one for each m, n and k", count);
  const Json& list = r.member("values", expected);
  if (!list.is_array() || list.size() != count) r.refuse("values", expected);
  for (const Json& value : list) {
    const double v = value.is_number() ? value.get<double>() : 0;
    if (!(v > 0 && v <= 1)) r.refuse("values", expected);
    if (v < 1 / Reader::most) r.refuse("values", Reader::each_in_range());
    e.values.push_back(v);
  }
  r.require_known();
  return e;
}

Machine::Gemm read_gemm(const Reader& r) {
  Machine::Gemm g;
  const Reader flops{r.member("flops_per_second", "an object"), r.where + ": flops_per_second"};
  for (ScalarType type : scalar_types)
    g.flops_per_second[static_cast<std::size_t>(type)] = flops.number(std::string(name_of(type)).c_str(), true);
  flops.require_known();
  g.half_size = r.number("half_size", false);
  if (r.has("efficiency")) g.efficiency = read_efficiency({r.object.at("efficiency"), r.where + ": efficiency"});
  if (r.has("kernels")) g.kernels = r.text("kernels");
  r.each("kernel_rates", "kernel rate", [&](const Reader& k) {
    g.kernel_rates.push_back({k.text("kernels"), k.number("flops_per_second", true)});
  });
  r.require_known();
  return g;
}

void require_nested(const std::vector<Machine::Level>& levels, std::string_view key, const std::string& where) {
  bool nested = !levels.empty() && levels.back().ranks == 0;
  for (std::size_t l = 0; l + 1 < levels.size(); ++l)
    nested = nested && levels[l].ranks > (l == 0 ? 0 : levels[l - 1].ranks);
  if (!nested)
    throw FileError(fmt::format(
        "{}: \"{}\": expected units of ascending numbers of ranks, the last with 0 for unlimited", where, key));
}

Json print_level(const Machine::Level& l) {
  Json json{{"name", l.name},
            {"ranks", l.ranks},
            {"latency_seconds", l.latency_seconds},
            {"seconds_per_byte", l.seconds_per_byte},
            {"overhead_seconds", l.overhead_seconds},
            {"gap_seconds", l.gap_seconds}};
  for (const Machine::Message& m : l.messages) json["messages"].push_back({{"bytes", m.bytes}, {"seconds", m.seconds}});
  return json;
}

}  // namespace

bool machine_is_open(const std::string& name) {
  const char* const standing = std::getenv("CAIRN_MACHINE");
  return name.empty() && !(standing && *standing);
}

Machine find_machine(const std::string& asked) {
  const bool open = machine_is_open(asked), stands = asked.empty() && !open;
  const char* const who = stands ? "CAIRN_MACHINE" : "machine";
  const std::string name_or_path = open ? "generic" : stands ? std::getenv("CAIRN_MACHINE") : asked;
  for (const Machine& m : built_in_machines())
    if (m.name == name_or_path) return m;
  const bool path = name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json");
  std::error_code none;
  if (!path && !std::filesystem::is_regular_file(name_or_path, none))
    throw ArgumentError(fmt::format("{}: '{}' is unknown, expected one of {}, or a JSON file", who, name_or_path,
                                    fmt::join(machine_names(), ", ")));
  std::ifstream file(name_or_path, std::ios::binary);
  std::ostringstream text;
  if (!file || std::filesystem::is_directory(name_or_path, none) || !(text << file.rdbuf()))
    throw FileError(fmt::format("{}: {}: expected a readable JSON file with a machine's figures", who, name_or_path));
  return parse_machine(text.str(), fmt::format("{}: {}", who, name_or_path));
}

Machine parse_machine(std::string_view json, const std::string& where) {
  const Json all = parse_json<Json>(
      json, [&](const std::string& key) { throw FileError(fmt::format("{}: \"{}\" appears twice", where, key)); });
  if (!all.is_object()) throw FileError(fmt::format("{}: expected a JSON object with a machine's figures", where));
  const Reader r{all, where};
  Machine machine;
  machine.name = r.text("name");
  machine.source = r.text("source");
  r.member("levels", "a list of levels");
  r.each("levels", "level", [&](const Reader& level) { machine.levels.push_back(read_level(level)); });
  require_nested(machine.levels, "levels", where);
  machine.gemm = read_gemm({r.member("gemm", "an object"), where + ": gemm"});
  machine.read_seconds_per_byte = r.number_or_0("read_seconds_per_byte");
  machine.copy_seconds_per_byte = r.number_or_0("copy_seconds_per_byte");
  if (r.has("shared")) {
    const Reader shared{r.object.at("shared"), where + ": shared"};
    machine.shared = {shared.number("read_seconds_per_byte", false), shared.number("wait_seconds", false)};
    shared.require_known();
  }
  r.each("one_sided", "one-sided level", [&](const Reader& level) { machine.one_sided.push_back(read_level(level)); });
  if (!machine.one_sided.empty()) require_nested(machine.one_sided, "one_sided", where);
  r.each("collectives", "collective", [&](const Reader& c) {
    machine.collectives.push_back({c.text("name"), c.count("ranks", 1, "a number of ranks"), c.number("bytes", false),
                                   c.number("seconds", false)});
  });
  machine.step_seconds = r.number("step_seconds", false);
  machine.precision = r.number("precision", false);
  r.require_known();
  return machine;
}

std::string print_machine(const Machine& machine) {
  Json json;
  json["name"] = machine.name;
  json["source"] = machine.source;
  json["levels"] = Json::array();
  for (const Machine::Level& l : machine.levels) json["levels"].push_back(print_level(l));
  for (ScalarType type : scalar_types)
    json["gemm"]["flops_per_second"][std::string(name_of(type))] =
        machine.gemm.flops_per_second[static_cast<std::size_t>(type)];
  json["gemm"]["half_size"] = machine.gemm.half_size;
  if (const Machine::Efficiency& e = machine.gemm.efficiency; !e.empty())
    json["gemm"]["efficiency"] = {{"m", e.m}, {"n", e.n}, {"k", e.k}, {"values", e.values}};
  if (!machine.gemm.kernels.empty()) json["gemm"]["kernels"] = machine.gemm.kernels;
  for (const KernelRate& k : machine.gemm.kernel_rates)
    json["gemm"]["kernel_rates"].push_back({{"kernels", k.kernels}, {"flops_per_second", k.flops_per_second}});
  json["read_seconds_per_byte"] = machine.read_seconds_per_byte;
  json["copy_seconds_per_byte"] = machine.copy_seconds_per_byte;
  if (machine.shared)
    json["shared"] = {{"read_seconds_per_byte", machine.shared->read_seconds_per_byte},
                      {"wait_seconds", machine.shared->wait_seconds}};
  for (const Machine::Level& l : machine.one_sided) json["one_sided"].push_back(print_level(l));
  for (const Machine::Collective& c : machine.collectives)
    json["collectives"].push_back({{"name", c.name}, {"ranks", c.ranks}, {"bytes", c.bytes}, {"seconds", c.seconds}});
  json["step_seconds"] = machine.step_seconds;
  json["precision"] = machine.precision;
  return json_text(json);
}

}  // namespace cairn
