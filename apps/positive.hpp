// Checks of options that are counts.
#pragma once
#include <CLI/CLI.hpp>
#include <limits>

namespace cairn::app {

/// 1 or more; CLI::PositiveNumber names the largest double as its end.
inline const CLI::Range positive(1, std::numeric_limits<int>::max());
inline const CLI::Range not_negative(0, std::numeric_limits<int>::max());

}  // namespace cairn::app
