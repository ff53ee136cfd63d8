// The head of a file of a block-sparse matrix.
#include "io/block_file.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "cairn/error.hpp"
#include "failure.hpp"
#include "mutator.hpp"
#include "sealed.hpp"

namespace cairn::io {
namespace {

/// 3 x 4 blocks, of which row 0 holds two and row 2 one.
const BlockFileHead some{ScalarType::float32, Symmetry::general, {2, 0, 3}, {1, 5, 0, 2},
                         {0, 2, 2, 3},        {0, 6, 6, 21},     77};

std::string file_of(const BlockFileHead& head, const std::vector<std::int32_t>& cols) {
  std::string bytes = format_block_file_head(head);
  bytes.append(reinterpret_cast<const char*>(cols.data()), 4 * cols.size());
  bytes.resize(static_cast<std::size_t>(head.file_bytes()));
  return sealed(bytes);
}
const std::vector<std::int32_t> some_cols{0, 3, 1};

BlockFileHead parsed(const std::string& bytes) {
  return parse_block_file_head(bytes, static_cast<Int>(bytes.size()), "a.cbs");
}

TEST(BlockFileHead, ComesBack) {
  const std::string bytes = file_of(some, some_cols);
  EXPECT_TRUE(is_block_file(bytes));
  EXPECT_EQ(bytes.size() % 4, 0U);
  EXPECT_EQ(block_file_head_bytes(bytes, static_cast<Int>(bytes.size()), "a.cbs"), some.index_offset());
  const BlockFileHead head = parsed(bytes);
  EXPECT_EQ(head.type, some.type);
  EXPECT_EQ(head.row_sizes, some.row_sizes);
  EXPECT_EQ(head.col_sizes, some.col_sizes);
  EXPECT_EQ(head.blocks_before, some.blocks_before);
  EXPECT_EQ(head.words_before, some.words_before);
  EXPECT_EQ(head.rows(), 5);
  EXPECT_EQ(head.cols(), 8);
  EXPECT_EQ(head.values_offset() % 64, 0);
  for (Int row : {0, 1, 2})
    check_block_row(head, row, some_cols.data() + head.blocks_before[static_cast<std::size_t>(row)], "a.cbs");
}

TEST(BlockFileHead, SaysWhichBlocksStandForTheOthers) {
  const std::vector<std::int32_t> sizes{2, 3};
  BlockFileHead half{ScalarType::complex64, Symmetry::hermitian, sizes, sizes, {0, 2, 3}, {0, 10, 19}, 77};
  const std::string bytes = file_of(half, {0, 1, 1});
  EXPECT_EQ(parsed(bytes).symmetry, half.symmetry);
  EXPECT_EQ(parsed(bytes).type, half.type);
  const std::int32_t below = 0;
  EXPECT_EQ(failure_of([&] { check_block_row(half, 1, &below, "a.cbs"); }),
            "a.cbs: damaged: block (1, 0) is below the diagonal of a matrix with a symmetry");
  half.type = ScalarType::float64;
  EXPECT_EQ(failure_of([&] {
              parsed(file_of(half, {0, 1, 1}));
            }),
            "a.cbs: damaged: found symmetry 3 of elements of type 1 in version 2");
  half.symmetry = Symmetry::symmetric;
  half.col_sizes = {3, 2};
  EXPECT_EQ(failure_of([&] {
              parsed(file_of(half, {0, 1, 1}));
            }),
            "a.cbs: damaged: rows and columns of a matrix with a symmetry are in different blocks");
}

TEST(BlockFileHead, CountsBeyondTwoToTheThirtyFirst) {
  // 3000 blocks of 2000 x 2000, whose values nobody holds.
  BlockFileHead head;
  head.row_sizes = {2000};
  head.col_sizes.assign(3000, 2000);
  head.blocks_before = {0, 3000};
  head.words_before = {0, Int{12'000'000'000}};
  const std::string bytes = format_block_file_head(head);
  const Int size = head.file_bytes();
  EXPECT_EQ(size, head.values_offset() + Int{96'000'000'000});
  const BlockFileHead found = parse_block_file_head(bytes, size, "a.cbs");
  EXPECT_EQ(found.words(), 12'000'000'000);
  std::vector<std::int32_t> cols(3000);
  std::iota(cols.begin(), cols.end(), 0);
  EXPECT_NO_THROW(check_block_row(found, 0, cols.data(), "a.cbs"));
}

TEST(BlockFileHead, ChecksumsOfPiecesAddUp) {
  const std::string bytes = file_of(some, some_cols);
  const Int size = static_cast<Int>(bytes.size());
  EXPECT_EQ(checksum(0, bytes.data(), size),
            checksum(0, bytes.data(), 20) + checksum(20, bytes.data() + 20, size - 20));
  EXPECT_NE(checksum(0, bytes.data(), size), checksum(4, bytes.data(), size));
  // As docs/block_files.md says: the finaliser of splitmix64 whose first output for seed 0 this is.
  const std::uint32_t zero = 0;
  EXPECT_EQ(checksum(4, &zero, 4), 0xe220a8397b1dcdafU);
}

TEST(BlockFileHead, ContradictionsAreNamed) {
  const auto with = [&](auto change) {
    BlockFileHead head = some;
    change(head);
    return failure_of([&] { parsed(file_of(head, some_cols)); });
  };
  EXPECT_EQ(with([](BlockFileHead& h) { h.row_sizes[2] = -3; }),
            "a.cbs: damaged: block row 2 has size -3, expected 0 or more");
  EXPECT_EQ(with([](BlockFileHead& h) { h.blocks_before[1] = 4; }),
            "a.cbs: damaged: found 4 blocks before block row 1, expected numbers that ascend from 0");
  EXPECT_EQ(with([](BlockFileHead& h) { h.words_before[0] = -1; }),
            "a.cbs: damaged: found -1 words before block row 0, expected numbers that ascend from 0");
  const auto row = [&](const std::vector<std::int32_t>& cols, Int i) {
    return failure_of([&] { check_block_row(some, i, cols.data(), "a.cbs"); });
  };
  EXPECT_EQ(row({3, 0}, 0),
            "a.cbs: damaged: found block column 0 in block row 0, expected columns that ascend, below 4");
  EXPECT_EQ(row({0, 4}, 0),
            "a.cbs: damaged: found block column 4 in block row 0, expected columns that ascend, below 4");
  EXPECT_EQ(row({0, 2}, 0), "a.cbs: damaged: block (0, 2) is stored but has no elements");
  EXPECT_EQ(row({0, 1}, 0), "a.cbs: damaged: blocks of block row 0 are 2 x 6, expected 6 words, as the head says");
  std::string bytes = file_of(some, some_cols);
  bytes[8] = 2;
  EXPECT_EQ(failure_of([&] { parsed(bytes); }), "a.cbs: damaged: found symmetry 0 of elements of type 0 in version 2");
  bytes[8] = 3;
  EXPECT_EQ(failure_of([&] { parsed(bytes); }),
            "a.cbs: found version 3 of Cairn's block-sparse format, expected 1 or 2");
}

TEST(Fuzz, BlockFileHeadsAreConsistentOrRefused) {
  Mutator mutator(4);
  BlockFileHead empty;
  empty.blocks_before = empty.words_before = {0};
  BlockFileHead half{ScalarType::float64, Symmetry::symmetric, {2, 3}, {2, 3}, {0, 2, 3}, {0, 10, 19}, 77};
  const std::vector<std::string> files{file_of(some, some_cols), file_of(empty, {}), file_of(half, {0, 1, 1})};
  int accepted = 0;
  for (int i = 0; i < 10000; ++i) {
    std::string text = mutator.damaged(files[mutator.below(files.size())], files);
    if (mutator.below(2) == 0) text.resize(files[0].size());
    text = sealed(text);
    try {
      const BlockFileHead head = parsed(text);
      ++accepted;
      EXPECT_EQ(head.file_bytes(), static_cast<Int>(text.size()));
      for (std::size_t row = 0; row < head.row_sizes.size(); ++row) {
        std::vector<std::int32_t> cols(static_cast<std::size_t>(head.blocks_before[row + 1] - head.blocks_before[row]));
        if (!cols.empty())
          std::memcpy(cols.data(), text.data() + head.index_offset() + 4 * head.blocks_before[row], 4 * cols.size());
        check_block_row(head, static_cast<Int>(row), cols.data(), "a.cbs");
      }
    } catch (const FileError& error) {
      expect_clear(error, "a.cbs");
    }
  }
  EXPECT_GT(accepted, 300);
}

}  // namespace
}  // namespace cairn::io
