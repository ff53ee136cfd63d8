#include "io/memory_size.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "cairn/error.hpp"

namespace cairn::io {

namespace {

struct Unit {
  std::string_view name;
  double bytes;
};
constexpr std::array units{Unit{"", 1},         Unit{"B", 1},       Unit{"KB", 1e3},     Unit{"MB", 1e6},
                           Unit{"GB", 1e9},     Unit{"TB", 1e12},   Unit{"KiB", 0x1p10}, Unit{"MiB", 0x1p20},
                           Unit{"GiB", 0x1p30}, Unit{"TiB", 0x1p40}};

}  // namespace

Int words_of_memory(std::string_view text, std::string_view argument, ScalarType type) {
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
        fmt::format("{} '{}': expected a size such as 2GiB, 500MB, 4096 (bytes) or 100000words", argument, text));
  return static_cast<Int>(words);
}

}  // namespace cairn::io
