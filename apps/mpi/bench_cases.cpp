// The shapes and regimes of cosma-sc19 §8, scaled to a memory per rank, and the ways to compute them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include "algorithms/registry.hpp"
#include "bench.hpp"
#include "cairn/error.hpp"
#include "commands.hpp"
#include "io/memory_size.hpp"
#include "model/transport.hpp"

namespace cairn::app {

namespace {

// Names that --shapes and --regime take.
constexpr std::array<std::string_view, 4> shapes{"square", "largeK", "largeM", "flat"};
constexpr std::array<std::string_view, 3> regimes{"strong", "limited", "extra"};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    std::string part = text.substr(at, end - at);
    part.erase(0, std::min(part.find_first_not_of(' '), part.size()));
    part.erase(part.find_last_not_of(' ') + 1);
    if (!part.empty()) parts.push_back(part);
    at = end + 1;
  }
  return parts;
}

// Of an option that was given, one part at least.
std::vector<std::string> listed(const char* option, const std::string& text, char separator) {
  std::vector<std::string> parts = split(text, separator);
  if (parts.empty() && !text.empty())
    throw ArgumentError(fmt::format("{} '{}': expected one or more, separated by '{}'", option, text, separator));
  return parts;
}

void require_known(const char* option, const std::string& name, std::span<const std::string_view> names) {
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw ArgumentError(fmt::format("{} '{}': expected one of {}", option, name, fmt::join(names, ", ")));
}

template <class Number>
Number natural(const char* option, const std::string& text, const char* expected) {
  Number value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || value < 0)
    throw ArgumentError(fmt::format("{} '{}': expected {}", option, text, expected));
  return value;
}

BenchCase sizes_from(const std::string& text) {
  constexpr const char* expected = "M x N x K such as 4096x4096x512, separated by commas";
  const std::vector<std::string> parts = split(text, 'x');
  if (parts.size() != 3) throw ArgumentError(fmt::format("--sizes '{}': expected {}", text, expected));
  const auto size = [&](std::size_t i) { return natural<Int>("--sizes", parts[i], expected); };
  return {"asked", size(0), size(1), size(2)};
}

Int rounded(double x) { return std::max<Int>(1, std::llround(x)); }

// Sizes with mn + mk + nk = `words`. Long dimensions are as many times the short ones as in the paper, 3,735,552 :
// 17,408; the short one of flat matrices is the paper's own.
BenchCase shape_of(const std::string& name, double words, const std::string& regime) {
  constexpr double longer = 3735552.0 / 17408.0;
  const double thin = regime == "strong" ? 512 : 256;
  if (name == "square") {
    const Int n = rounded(std::sqrt(words / 3));
    return {name, n, n, n};
  }
  if (name == "flat") {  // m² + 2·thin·m = words
    const Int m = rounded(std::sqrt(words + thin * thin) - thin);
    return {name, m, m, rounded(thin)};
  }
  const double n = std::sqrt(words / (1 + 2 * longer));
  const Int small = rounded(n), large = rounded(longer * n);
  return name == "largeK" ? BenchCase{name, small, small, large} : BenchCase{name, large, small, small};
}

// Words of A, B and C together. Memory S of a rank: limited fills the memory of all p ranks, extra leaves room for
// p^(1/3) copies, strong keeps what fills two ranks whatever p is.
double words_in(const std::string& regime, double S, double p) {
  if (regime == "limited") return p * S;
  if (regime == "extra") return std::pow(p, 2.0 / 3.0) * S;
  return 2 * S;
}

}  // namespace

std::vector<BenchCase> cases_of(const BenchArguments& a, int ranks) {
  std::vector<BenchCase> cases;
  if (!a.sizes.empty()) {
    for (const std::string& text : listed("--sizes", a.sizes, ',')) cases.push_back(sizes_from(text));
    return cases;
  }
  require_known("--regime", a.regime, regimes);
  const auto memory = static_cast<double>(io::words_of_memory(a.memory, "--memory", scalar_type_named(a.type)));
  for (const std::string& name : listed("--shapes", a.shapes, ',')) {
    require_known("--shapes", name, shapes);
    cases.push_back(shape_of(name, words_in(a.regime, memory, ranks), a.regime));
  }
  return cases;
}

std::vector<BenchWay> ways_of(const BenchArguments& a) {
  std::vector<std::string> algorithms = listed("--algorithms", a.algorithms, ';'),
                           transports = listed("--transports", a.transports, ',');
  const bool asked = !algorithms.empty();
  if (!asked) {
    algorithms.emplace_back();  // the planner's choice
    for (std::string_view name : algorithm_names()) algorithms.emplace_back(name);
  }
  for (const std::string& name : transports) transport_named(name);
  if (transports.empty()) transports.emplace_back();
  std::vector<std::optional<int>> depths;
  for (const std::string& depth : listed("--look-ahead", a.look_ahead, ','))
    depths.emplace_back(natural<int>("--look-ahead", depth, "0 or more rounds, separated by commas"));
  if (depths.empty()) depths.emplace_back();
  std::vector<BenchWay> ways;
  for (const std::string& algorithm : algorithms) {
    if (!algorithm.empty() && algorithm != "planner")
      static_cast<void>(leaves_cuts_open(algorithm));  // refuses unknown names
    for (const std::string& transport : transports)
      for (const auto& depth : depths) {
        Options o;
        o.algorithm = algorithm == "planner" ? "" : algorithm;
        o.transport = transport;
        o.look_ahead = depth;
        o.collectives = a.collectives;
        o.ranks_per_node = a.ranks_per_node;
        o.machine = a.machine;
        ways.push_back({o, asked});
      }
  }
  return ways;
}

}  // namespace cairn::app
