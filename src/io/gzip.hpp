// Whole files into memory, plain or compressed with gzip.
#pragma once
#include <string>

namespace cairn::io {

/// The bytes of a file, decompressed if it is a gzip file (whatever its name). Throws FileError if
/// it is missing, a directory, not readable, damaged or truncated; errors begin with its path, or the name given.
std::string read_file(const std::string& path, std::string name = "");

}  // namespace cairn::io
