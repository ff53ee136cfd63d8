#include "scalapack/settings.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "cairn/error.hpp"
#include "io/memory_size.hpp"

namespace cairn::scalapack {

namespace {

// "1" or "0"; anything else is a problem.
bool is_on(const char* variable, const char* value, std::string& problems) {
  if (!value || std::string_view(value) == "0") return false;
  if (std::string_view(value) == "1") return true;
  problems += fmt::format("cairn: {}='{}' is ignored, expected 1 or 0\n", variable, value);
  return false;
}

}  // namespace

Settings parse_settings(const char* use, const char* verbose, const char* summary, const char* memory) {
  Settings s;
  const std::string_view wanted = use ? use : "auto";
  if (wanted == "off" || wanted == "never" || wanted == "0")
    s.use = Settings::Use::never;
  else if (wanted == "always")
    s.use = Settings::Use::always;
  else if (wanted != "auto" && wanted != "on" && wanted != "1" && !wanted.empty())
    s.problems += fmt::format("cairn: CAIRN_SCALAPACK='{}' is ignored, expected off, auto or always\n", wanted);
  s.verbose = is_on("CAIRN_VERBOSE", verbose, s.problems);
  s.summary = is_on("CAIRN_SUMMARY", summary, s.problems);
  if (!memory || *memory == '\0') return s;
  try {
    (void)io::words_of_memory(memory, "CAIRN_MEMORY", ScalarType::float64);
    s.memory = memory;
  } catch (const ArgumentError& e) {
    s.problems += fmt::format("cairn: {}; it is ignored\n", e.what());
  }
  return s;
}

const Settings& settings() {
  static const Settings the_settings = [] {
    const Settings s = parse_settings(std::getenv("CAIRN_SCALAPACK"), std::getenv("CAIRN_VERBOSE"),
                                      std::getenv("CAIRN_SUMMARY"), std::getenv("CAIRN_MEMORY"));
    if (!s.problems.empty()) fmt::print(stderr, "{}", s.problems);
    return s;
  }();
  return the_settings;
}

}  // namespace cairn::scalapack
