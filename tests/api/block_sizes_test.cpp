// Block sizes as users and files give them.
#include "io/block_sizes.hpp"

#include <gtest/gtest.h>

#include "../io/temporary_directory.hpp"
#include "cairn/block_files.hpp"
#include "refusal.hpp"

namespace cairn {
namespace {

using testing::refusal;

TEST(BlockSizes, AreRepeatedUntilTheyCoverAll) {
  EXPECT_EQ(parse_block_sizes("6", 18), BlockSizes(3, 6));
  EXPECT_EQ(parse_block_sizes("4,1,1", 12), (BlockSizes{4, 1, 1, 4, 1, 1}));
  EXPECT_EQ(parse_block_sizes(" 4 1\n1 ", 6), (BlockSizes{4, 1, 1}));
  EXPECT_EQ(parse_block_sizes("3x2,0", 6), (BlockSizes{2, 2, 2, 0}));
  EXPECT_EQ(parse_block_sizes("% a comment, with 5\n2 % and 7\n1", 3), (BlockSizes{2, 1}));
  EXPECT_EQ(parse_block_sizes("6", 0), BlockSizes{});
  EXPECT_EQ(parse_block_sizes("", 0), BlockSizes{});
}

TEST(BlockSizes, ThatDoNotCoverAllAreRefused) {
  EXPECT_EQ(refusal([] { parse_block_sizes("4,1,1", 100); }),
            "block sizes '4,1,1': they add up to 6, which does not go into 100, expected sizes that cover 100 rows or "
            "columns exactly");
  EXPECT_NE(refusal([] { parse_block_sizes("0", 3); }).find("add up to 0"), std::string::npos);
  EXPECT_NE(refusal([] { parse_block_sizes("1", Int{1} << 40); }).find("fewer than 2^31 blocks"), std::string::npos);
  EXPECT_NE(refusal([] { parse_block_sizes("6", -1); }).find("total: -1"), std::string::npos);
}

TEST(BlockSizes, WhatIsNoListIsRefused) {
  for (const char* text :
       {"4,,1", ",4", "4,", "x6", "3x", "3x4x5", "9999999999", "9999999999x0", "-6", "4,-1,1", "2x-3", "-"})
    EXPECT_NE(refusal([&] { parse_block_sizes(text, 6); }).find("expected"), std::string::npos) << text;
  for (const std::string name : {"no such file", "2024-11", "6-"})
    EXPECT_NE(refusal<FileError>([&] { parse_block_sizes(name, 6); }).find(name + ": cannot be opened"),
              std::string::npos);
}

TEST(BlockSizes, ThatAreFarTooManyTakeNoMemory) {
  for (const char* text : {"2147483647x1", "2147483647x2147483647", "2,2147483647x1", "2147483647x1,2147483647x1"})
    EXPECT_EQ(refusal([&] { parse_block_sizes(text, 6); }), "block sizes: sizes of blocks add up to more than 6")
        << text;
  EXPECT_EQ(refusal([&] { parse_block_sizes("6,2147483647x0", 6); }),
            "block sizes: more than 1 blocks, of which many have size 0");
}

TEST(BlockSizes, OfAFileAreNotRepeated) {
  const io::TemporaryDirectory dir;
  const BlockSizes sizes{5, 5, 5, 0, 1, 5, 5};
  const std::string path = dir / "a.blocks", text = io::format_block_sizes(sizes, "of water");
  EXPECT_EQ(text, "% of water\n3x5\n0\n1\n2x5\n");
  io::write_bytes(path, text);
  EXPECT_EQ(read_block_sizes(path), sizes);
  EXPECT_EQ(parse_block_sizes(path, 26), sizes);
  EXPECT_EQ(refusal([&] { parse_block_sizes(path, 52); }),
            "block sizes in " + path + ": they add up to 26, expected 52");
  EXPECT_EQ(refusal<FileError>([&] { parse_block_sizes(path, 25); }),
            path + ": sizes of blocks add up to more than 25");
  io::write_bytes(path, "5\n-1");
  EXPECT_EQ(refusal<FileError>([&] { parse_block_sizes(path, 5); }),
            path + ": found '-1', expected sizes of blocks from 0 to 2147483647, such as 4,1,1 or 128x6");
}

}  // namespace
}  // namespace cairn
