// Files of block-sparse matrices whose checksums are right, so that what else is wrong with them must be noticed.
#pragma once
#include <cstring>
#include <string>

#include "io/block_file.hpp"

namespace cairn::io {

/// Bytes of a file with that checksum at `at`, if it is as long.
inline void put_checksum(std::string& bytes, std::size_t at, std::uint64_t sum) {
  if (bytes.size() >= at + sizeof sum) std::memcpy(bytes.data() + at, &sum, sizeof sum);
}

/// Both checksums as they must be, if the head is as long as it says.
inline std::string sealed(std::string bytes) {
  const Int size = static_cast<Int>(bytes.size()) / 4 * 4;
  Int head = 0;
  try {
    head = block_file_head_bytes(bytes, static_cast<Int>(bytes.size()), "");
  } catch (const FileError&) {
    return bytes;
  }
  put_checksum(bytes, 56, checksum(head, bytes.data() + head, size - head));
  put_checksum(bytes, 48, checksum(0, bytes.data(), 48) + checksum(64, bytes.data() + 64, head - 64));
  return bytes;
}

}  // namespace cairn::io
