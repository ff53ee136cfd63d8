#include "io/block_file.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <limits>
#include <optional>

#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "io/text.hpp"

namespace cairn::io {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are");

namespace {

// No text begins so, and a transfer as text damages it.
constexpr std::string_view magic{
    "\x89"
    "CAIRN\r\n",
    8};
// Those of version 1 are of matrices without a symmetry, and are still written so.
constexpr std::uint32_t general_version = 1, version_with_symmetry = 2;
constexpr std::uint32_t symmetry_shift = 8;
constexpr Int most_blocks = std::numeric_limits<std::int32_t>::max();

struct Start {
  char magic[8];
  std::uint32_t version, type;  // with the symmetry in the type's second byte
  Int block_rows, block_cols, blocks, words;
  std::uint64_t head_checksum, body_checksum;
};
static_assert(sizeof(Start) == block_file_probe);
constexpr Int checksum_offset = offsetof(Start, head_checksum);

constexpr Int rounded_up(Int bytes, Int multiple) { return ceil_div(bytes, multiple) * multiple; }

std::uint32_t type_of(const Start& start) { return start.type & ((1U << symmetry_shift) - 1); }
std::uint32_t symmetry_of(const Start& start) { return start.type >> symmetry_shift; }

Int sizes_bytes(Int block_rows, Int block_cols) { return rounded_up(4 * (block_rows + block_cols), 8); }
Int head_bytes(Int block_rows, Int block_cols) {
  return block_file_probe + sizes_bytes(block_rows, block_cols) + 16 * (block_rows + 1);
}
Int values_place(Int head, Int blocks) { return rounded_up(head + 4 * blocks, 64); }

Start start_of(std::string_view bytes, std::string_view name) {
  Start start;
  if (static_cast<Int>(bytes.size()) < block_file_probe)
    throw FileError(fmt::format("{}: truncated after {} bytes, expected a head of at least {} bytes", name,
                                bytes.size(), block_file_probe));
  std::memcpy(&start, bytes.data(), sizeof start);
  return start;
}

/// Of everything but the two checksums themselves.
std::uint64_t head_checksum(std::string_view head) {
  return checksum(0, head.data(), checksum_offset) +
         checksum(block_file_probe, head.data() + block_file_probe, static_cast<Int>(head.size()) - block_file_probe);
}

[[noreturn]] void damaged(std::string_view name, const std::string& what) {
  throw FileError(fmt::format("{}: damaged: {}", name, what));
}

void check_before(const std::vector<Int>& before, Int all, std::string_view what, std::string_view name) {
  for (std::size_t i = 0; i + 1 < before.size(); ++i)
    if (before[i] > before[i + 1] || (i == 0 && before[0] != 0))
      damaged(name,
              fmt::format("found {} {} before block row {}, expected numbers that ascend from 0", before[i], what, i));
  if (before.front() != 0 || before.back() != all)
    damaged(name, fmt::format("block rows have {} {}, expected {}", before.back(), what, all));
}

void check_sizes(const std::vector<std::int32_t>& sizes, std::string_view what, std::string_view name) {
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] < 0) damaged(name, fmt::format("block {} {} has size {}, expected 0 or more", what, i, sizes[i]));
}

}  // namespace

std::uint64_t checksum(Int offset, const void* data, Int bytes) {
  std::uint64_t sum = 0, place = static_cast<std::uint64_t>(offset / 4) * 0x9e3779b97f4a7c15U;
  const char* const from = static_cast<const char*>(data);
  for (Int at = 0; at < bytes; at += 4, place += 0x9e3779b97f4a7c15U) {
    std::uint32_t word;
    std::memcpy(&word, from + at, 4);
    sum += mixed_bits(place + word);
  }
  return sum;
}

Int BlockFileHead::rows() const { return total(row_sizes); }
Int BlockFileHead::cols() const { return total(col_sizes); }
Int BlockFileHead::index_offset() const {
  return head_bytes(static_cast<Int>(row_sizes.size()), static_cast<Int>(col_sizes.size()));
}
Int BlockFileHead::values_offset() const { return values_place(index_offset(), blocks()); }
Int BlockFileHead::file_bytes() const { return values_offset() + words() * size_of(type); }

bool is_block_file(std::string_view start) { return start.substr(0, magic.size()) == magic; }

Int block_file_head_bytes(std::string_view bytes, Int file_bytes, std::string_view name) {
  const Start start = start_of(bytes, name);
  if (start.version != general_version && start.version != version_with_symmetry)
    throw FileError(fmt::format("{}: found version {} of Cairn's block-sparse format, expected {} or {}", name,
                                start.version, general_version, version_with_symmetry));
  if (type_of(start) > static_cast<std::uint32_t>(ScalarType::complex128))
    damaged(name, fmt::format("found elements of type {}, expected one from 0 to 3", type_of(start)));
  const bool real = type_of(start) < static_cast<std::uint32_t>(ScalarType::complex64);
  const auto hermitian = static_cast<std::uint32_t>(Symmetry::hermitian);
  if (symmetry_of(start) > hermitian || (symmetry_of(start) == 0) != (start.version == general_version) ||
      (real && symmetry_of(start) == hermitian))
    damaged(name, fmt::format("found symmetry {} of elements of type {} in version {}", symmetry_of(start),
                              type_of(start), start.version));
  const auto possible = [&](Int count, Int most) { return count >= 0 && count <= most; };
  // Nothing below overflows, whatever the numbers are.
  if (!possible(start.block_rows, most_blocks) || !possible(start.block_cols, most_blocks) ||
      !possible(start.blocks, start.block_rows * start.block_cols) ||
      !possible(start.blocks, std::numeric_limits<Int>::max() / 8) || start.words < 0)
    damaged(name, fmt::format("the head says {} x {} blocks, of which {} are stored with {} words", start.block_rows,
                              start.block_cols, start.blocks, start.words));
  const Int head = head_bytes(start.block_rows, start.block_cols);
  const auto values = product(start.words, size_of(static_cast<ScalarType>(type_of(start))));
  const Int before = values_place(head, start.blocks);
  if (!values || *values > std::numeric_limits<Int>::max() - before || file_bytes != before + *values)
    throw FileError(
        fmt::format("{}: {}: found {} bytes, expected {} for {} blocks with {} words", name,
                    !values || *values > file_bytes - before ? "truncated" : "damaged", file_bytes,
                    values ? fmt::format("{}", static_cast<std::uint64_t>(before) + static_cast<std::uint64_t>(*values))
                           : "more than 2^63",
                    start.blocks, start.words));
  return head;
}

BlockFileHead parse_block_file_head(std::string_view bytes, Int file_bytes, std::string_view name) {
  const Int length = block_file_head_bytes(bytes, file_bytes, name);
  const Start start = start_of(bytes, name);
  const std::string_view all = bytes.substr(0, static_cast<std::size_t>(length));
  if (static_cast<Int>(all.size()) < length)
    throw FileError(fmt::format("{}: truncated after {} bytes, expected a head of {} bytes", name, all.size(), length));
  if (head_checksum(all) != start.head_checksum)
    damaged(name, "the head has another checksum than it had when written");
  BlockFileHead head;
  head.type = static_cast<ScalarType>(type_of(start));
  head.symmetry = static_cast<Symmetry>(symmetry_of(start));
  head.body_checksum = start.body_checksum;
  const char* from = all.data() + block_file_probe;
  const auto take = [&](auto& to, Int count) {
    to.resize(static_cast<std::size_t>(count));
    if (count > 0) std::memcpy(to.data(), from, to.size() * sizeof to[0]);
    from += to.size() * sizeof to[0];
  };
  take(head.row_sizes, start.block_rows);
  take(head.col_sizes, start.block_cols);
  from = all.data() + block_file_probe + sizes_bytes(start.block_rows, start.block_cols);
  take(head.blocks_before, start.block_rows + 1);
  take(head.words_before, start.block_rows + 1);
  check_sizes(head.row_sizes, "row", name);
  check_sizes(head.col_sizes, "column", name);
  if (head.symmetry != Symmetry::general && head.row_sizes != head.col_sizes)
    damaged(name, "rows and columns of a matrix with a symmetry are in different blocks");
  check_before(head.blocks_before, start.blocks, "blocks", name);
  check_before(head.words_before, start.words, "words", name);
  return head;
}

std::string format_block_file_head(const BlockFileHead& head) {
  const Int block_rows = static_cast<Int>(head.row_sizes.size()), block_cols = static_cast<Int>(head.col_sizes.size());
  const auto symmetry = static_cast<std::uint32_t>(head.symmetry);
  Start start{{},
              symmetry == 0 ? general_version : version_with_symmetry,
              static_cast<std::uint32_t>(head.type) | symmetry << symmetry_shift,
              block_rows,
              block_cols,
              head.blocks(),
              head.words(),
              0,
              head.body_checksum};
  std::memcpy(start.magic, magic.data(), magic.size());
  std::string bytes(reinterpret_cast<const char*>(&start), sizeof start);
  const auto append = [&](const auto& from) {
    bytes.append(reinterpret_cast<const char*>(from.data()), from.size() * sizeof from[0]);
  };
  append(head.row_sizes);
  append(head.col_sizes);
  bytes.resize(static_cast<std::size_t>(block_file_probe + sizes_bytes(block_rows, block_cols)));
  append(head.blocks_before);
  append(head.words_before);
  start.head_checksum = head_checksum(bytes);
  std::memcpy(bytes.data() + checksum_offset, &start.head_checksum, sizeof start.head_checksum);
  return bytes;
}

void check_block_row(const BlockFileHead& head, Int row, const std::int32_t* cols, std::string_view name) {
  const auto r = static_cast<std::size_t>(row);
  const Int blocks = head.blocks_before[r + 1] - head.blocks_before[r];
  const Int height = head.row_sizes[r], block_cols = static_cast<Int>(head.col_sizes.size());
  Int width = 0;
  for (Int b = 0; b < blocks; ++b) {
    if (cols[b] < 0 || cols[b] >= block_cols || (b > 0 && cols[b] <= cols[b - 1]))
      damaged(name, fmt::format("found block column {} in block row {}, expected columns that ascend, below {}",
                                cols[b], row, block_cols));
    if (head.symmetry != Symmetry::general && cols[b] < row)
      damaged(name, fmt::format("block ({}, {}) is below the diagonal of a matrix with a symmetry", row, cols[b]));
    width += head.col_sizes[static_cast<std::size_t>(cols[b])];
    if (height == 0 || head.col_sizes[static_cast<std::size_t>(cols[b])] == 0)
      damaged(name, fmt::format("block ({}, {}) is stored but has no elements", row, cols[b]));
  }
  const Int words = head.words_before[r + 1] - head.words_before[r];
  if (product(height, width) != std::optional<Int>(words))
    damaged(name, fmt::format("blocks of block row {} are {} x {}, expected {} words, as the head says", row, height,
                              width, words));
}

}  // namespace cairn::io
