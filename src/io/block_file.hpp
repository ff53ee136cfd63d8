// The head of Cairn's own file of a block-sparse matrix; docs/block_files.md describes the format. All numbers are
// little endian:
//
//   head     64 bytes: the magic string, version, type and symmetry, numbers of block rows, block columns, blocks
//            and words, and two checksums
//            sizes of the block rows, of the block columns: 32 bits each, zeros up to a multiple of 8 bytes
//            blocks before each block row, and all blocks at last: 64 bits each
//            words before each block row, and all words at last: 64 bits each
//   index    block column of each block, row by row, ascending: 32 bits each, zeros up to a multiple of 64 bytes
//   values   block after block, each by columns
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/types.hpp"
#include "io/matrix_market.hpp"

namespace cairn::io {

/// Sums over disjoint pieces of a file add up to that of the whole: ranks can sum what they read or write. Of each 32
/// bits w at byte 4k of the file it is the output of splitmix64's finaliser for w + k·0x9e3779b97f4a7c15, modulo 2^64.
/// `offset` and `bytes` are multiples of 4. [Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014]
std::uint64_t checksum(Int offset, const void* data, Int bytes);

struct BlockFileHead {
  ScalarType type = ScalarType::float64;
  Symmetry symmetry = Symmetry::general;  ///< if not, blocks (i, j) with i <= j are there
  std::vector<std::int32_t> row_sizes, col_sizes;
  std::vector<Int> blocks_before, words_before;  ///< of each block row, and at the end all of them
  std::uint64_t body_checksum = 0;               ///< of index and values, with the zeros between them

  Int blocks() const { return blocks_before.back(); }
  Int words() const { return words_before.back(); }
  Int rows() const;
  Int cols() const;
  Int index_offset() const;   ///< bytes before the block columns
  Int values_offset() const;  ///< bytes before the values
  Int file_bytes() const;
};

/// So many bytes from the start of a file say how long its head is.
inline constexpr Int block_file_probe = 64;

/// Whether a file with that start is of this kind.
bool is_block_file(std::string_view start);

/// Bytes of the head, from its first block_file_probe bytes. Throws FileError, which begins with `name`, if they are
/// too few, the version, the type or the symmetry is unknown, or a file of `file_bytes` bytes does not hold exactly
/// what they say. What follows from them is therefore never larger than the file.
Int block_file_head_bytes(std::string_view start, Int file_bytes, std::string_view name);

/// The head, from at least all of its bytes. Throws FileError if its checksum is wrong or it contradicts itself.
BlockFileHead parse_block_file_head(std::string_view bytes, Int file_bytes, std::string_view name);

/// The bytes of the head.
std::string format_block_file_head(const BlockFileHead& head);

/// Throws FileError unless `cols`, the block columns of block row `row` in the file, can be: ascending, of the matrix,
/// without blocks that have no elements or are stored as mirror images, and with as many words as the head says.
void check_block_row(const BlockFileHead& head, Int row, const std::int32_t* cols, std::string_view name);

}  // namespace cairn::io
