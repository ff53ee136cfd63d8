// Arguments that several subcommands read alike.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "cairn/error.hpp"
#include "commands.hpp"

namespace cairn::app {

namespace {

struct Unit {
  std::string_view name;
  double bytes;
};
constexpr std::array units{Unit{"", 1},         Unit{"B", 1},       Unit{"KB", 1e3},     Unit{"MB", 1e6},
                           Unit{"GB", 1e9},     Unit{"TB", 1e12},   Unit{"KiB", 0x1p10}, Unit{"MiB", 0x1p20},
                           Unit{"GiB", 0x1p30}, Unit{"TiB", 0x1p40}};

}  // namespace

Int words_of_memory(const std::string& text, ScalarType type) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  std::string_view unit(read.ptr, static_cast<std::size_t>(end - read.ptr));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  double words = unit == "words" || unit == "word" ? number : -1;
  for (const Unit& u : units)
    if (u.name == unit) words = number * u.bytes / static_cast<double>(size_of(type));
  constexpr double most = 9e18;  // fits 64 bits
  if (read.ec != std::errc() || !(words >= 0) || words > most)
    throw ArgumentError(
        fmt::format("--memory '{}': expected a size such as 2GiB, 500MB, 4096 (bytes) or 100000words", text));
  return static_cast<Int>(words);
}

Int ranks_per_node(Int ranks, Int nodes) { return nodes > 0 ? (ranks + nodes - 1) / nodes : 0; }

ScalarType scalar_type_named(const std::string& name) {
  for (ScalarType t : {ScalarType::float32, ScalarType::float64, ScalarType::complex64, ScalarType::complex128})
    if (name_of(t) == name) return t;
  throw ArgumentError(fmt::format("--type '{}': expected float32, float64, complex64 or complex128", name));
}

}  // namespace cairn::app
