// Sizes of memory as people write them.
#pragma once
#include <string_view>

#include "cairn/types.hpp"

namespace cairn::io {

/// "2GiB", "500MB", "4096" (bytes) or "100000words", in elements of the type. Throws ArgumentError, which names
/// `argument`, for anything else.
Int words_of_memory(std::string_view text, std::string_view argument, ScalarType type);

}  // namespace cairn::io
