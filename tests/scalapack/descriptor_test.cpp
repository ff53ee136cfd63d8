#include "scalapack/descriptor.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace cairn::scalapack {

namespace {

// Who holds index `g`, and as his how manieth, by dealing one block after the other.
struct Home {
  int part;
  Int local;
};
Home home(const Dealt& x, Int g) {
  std::vector<Int> held(static_cast<std::size_t>(x.parts), 0);
  Int next = 0;
  for (Int number = 0; true; ++number) {
    const Int end = next + (number == 0 ? x.first : x.block);
    const auto part = static_cast<std::size_t>((x.src + number) % x.parts);
    if (g < end) return {static_cast<int>(part), held[part] + g - next};
    held[part] += end - next;
    next = end;
  }
}

const std::vector<Dealt> dealings{{3, 3, 0, 2}, {1, 4, 2, 3}, {5, 2, 1, 4}, {7, 1, 0, 3}, {100, 2, 1, 2}};

}  // namespace

TEST(Descriptor, OfType1HasFirstBlocksLikeAllOthers) {
  const int desc[9] = {1, 7, 100, 200, 3, 4, 1, 0, 50};
  const Descriptor d = parse_descriptor(desc);
  EXPECT_EQ(d.context, 7);
  EXPECT_EQ(d.m, 100);
  EXPECT_EQ(d.n, 200);
  EXPECT_EQ(d.imb, 3);
  EXPECT_EQ(d.inb, 4);
  EXPECT_EQ(d.mb, 3);
  EXPECT_EQ(d.nb, 4);
  EXPECT_EQ(d.rsrc, 1);
  EXPECT_EQ(d.csrc, 0);
  EXPECT_EQ(d.lld, 50);
}

TEST(Descriptor, OfType2HasFirstBlocksOfItsOwn) {
  const int desc[11] = {2, 7, 100, 200, 1, 2, 3, 4, -1, 1, 60};
  const Descriptor d = parse_descriptor(desc);
  EXPECT_EQ(d.imb, 1);
  EXPECT_EQ(d.inb, 2);
  EXPECT_EQ(d.mb, 3);
  EXPECT_EQ(d.nb, 4);
  EXPECT_EQ(d.rsrc, -1);
  EXPECT_EQ(d.csrc, 1);
  EXPECT_EQ(d.lld, 60);
}

TEST(Descriptor, OfUnknownTypeIsNotReadFurther) {
  const int desc[2] = {3, 7};
  const Descriptor d = parse_descriptor(desc);
  EXPECT_FALSE(d.known());
  EXPECT_EQ(d.context, 7);
}

TEST(Dealt, CountsWhatEveryPartHoldsOfAnyExtent) {
  for (const Dealt& x : dealings) {
    std::vector<Int> held(static_cast<std::size_t>(x.parts), 0);
    for (Int extent = 0; extent < 60; ++extent) {
      for (int part = 0; part < x.parts; ++part) EXPECT_EQ(x.count(extent, part), held[static_cast<std::size_t>(part)]);
      ++held[static_cast<std::size_t>(home(x, extent).part)];
    }
  }
}

TEST(Dealt, FromAnIndexOnIsTheSameDealing) {
  for (const Dealt& x : dealings)
    for (Int start = 0; start < 30; ++start)
      for (Int g = start; g < 60; ++g) EXPECT_EQ(home(x.from(start), g - start).part, home(x, g).part);
}

TEST(Dealt, EverywhereHoldsAll) {
  const Dealt x{3, 3, -1, 4};
  EXPECT_TRUE(x.everywhere());
  EXPECT_EQ(x.count(17, 2), 17);
}

TEST(Submatrix, HoldsTheElementsThatTheDescriptorPutsThere) {
  const ProcessGrid whole{2, 3, 0, 0};
  const int desc[11] = {2, 0, 23, 29, 2, 5, 3, 4, 1, 2, 40};
  const Descriptor d = parse_descriptor(desc);
  const Int i = 4, j = 6, m = 15, n = 20;
  const Layout l = layout_of(d, i, j, m, n, whole);
  for (int row = 0; row < whole.rows; ++row)
    for (int col = 0; col < whole.cols; ++col) {
      const ProcessGrid mine{whole.rows, whole.cols, row, col};
      const IndexSet rows = l.rows_at(mine.rank()), cols = l.cols_at(mine.rank());
      for (Int r = 0; r < m; ++r)
        for (Int c = 0; c < n; ++c) {
          const Home by_row = home(rows_of(d, mine), i + r), by_col = home(cols_of(d, mine), j + c);
          const bool here = by_row.part == row && by_col.part == col;
          ASSERT_EQ(rows.local(r) >= 0 && cols.local(c) >= 0, here);
          if (!here) continue;
          EXPECT_EQ(offset_of(d, i, j, mine) + rows.local(r) + cols.local(c) * d.lld,
                    by_row.local + by_col.local * d.lld);
        }
    }
}

}  // namespace cairn::scalapack
