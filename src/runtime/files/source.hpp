// What inspect_file found, for read_matrix: the parsed header, and on rank 0 the text of a compressed file.
#pragma once
#include <string>
#include <variant>

#include "cairn/files.hpp"
#include "io/block_file.hpp"
#include "io/matrix_market.hpp"
#include "io/npy.hpp"

namespace cairn {

struct FileInfo::Source {
  std::variant<io::NpyHeader, io::MatrixMarketHeader, io::BlockFileHead> header;
  Int text_bytes = 0;  ///< of the whole file, decompressed
  std::string text;    ///< of a compressed file; only on rank 0
};

/// How messages name a file: "A (a.npy)".
std::string label(const std::string& path, const std::string& argument);

}  // namespace cairn
