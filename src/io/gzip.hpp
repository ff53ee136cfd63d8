// Whole files into memory, plain or compressed with gzip.
#pragma once
#include <limits>
#include <string>

#include "cairn/types.hpp"

namespace cairn::io {

/// Whether the file begins like one made by gzip. Throws FileError if it cannot be read.
bool is_gzip(const std::string& path);

/// The bytes of a file, decompressed if it is a gzip file (whatever its name). Throws FileError if
/// it is missing, a directory, not readable, damaged, truncated, or holds more than `most_bytes`.
std::string read_file(const std::string& path, Int most_bytes = std::numeric_limits<Int>::max());

}  // namespace cairn::io
