#include "base/arithmetic.hpp"

#include <fmt/format.h>

#include <limits>

#include "cairn/error.hpp"

namespace cairn {

int to_int(Int value, const char* what) {
  if (value < 0 || value > std::numeric_limits<int>::max())
    throw RuntimeError(
        fmt::format("{} is {}, which a 32-bit integer of the underlying library cannot hold", what, value));
  return static_cast<int>(value);
}

}  // namespace cairn
