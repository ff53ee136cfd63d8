// Block-sparse matrices from and to rows of single elements.
#include "cairn/csr.hpp"

#include <gtest/gtest.h>

#include "block_sparse.hpp"
#include "distributed.hpp"

namespace cairn {
namespace {

using testing::Whole;

/// Elements of blocks, row by row, as the rank that asks for `rows` gets them.
template <class T>
CsrRows<T> rows_of(const Whole<T>& x, Range rows, bool drop_zeros) {
  CsrRows<T> expected;
  expected.rows = rows;
  Int row = 0;
  for (BlockIndex i = 0; i < static_cast<BlockIndex>(x.rows.size()); ++i)
    for (Int r = 0; r < x.rows[static_cast<std::size_t>(i)]; ++r, ++row) {
      if (row < rows.lo || row >= rows.hi) continue;
      Int col = 0;
      for (BlockIndex j = 0; j < static_cast<BlockIndex>(x.cols.size()); ++j) {
        const auto block = x.blocks.find({i, j});
        for (Int c = 0; c < x.cols[static_cast<std::size_t>(j)]; ++c, ++col) {
          if (block == x.blocks.end()) continue;
          const T value = block->second[static_cast<std::size_t>(r + c * x.rows[static_cast<std::size_t>(i)])];
          if (drop_zeros && value == T(0)) continue;
          expected.cols.push_back(col), expected.values.push_back(value);
        }
      }
      expected.first.push_back(static_cast<Int>(expected.cols.size()));
    }
  return expected;
}

/// Rows of the ranks, in no order, of different numbers, the second one without any.
Range rows_of_rank(Int m, const Comm& comm) {
  const Int ranks = comm.size(), turned = (comm.rank() + 1) % ranks;
  return turned == 1 && ranks > 2 ? Range{m, m} : piece({ranks > 2 ? m / 7 : 0, m}, ranks, turned);
}

template <class T>
class CsrOfType : public ::testing::Test {};
using AllTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CsrOfType, AllTypes);

TYPED_TEST(CsrOfType, RanksGetTheirRowsAndGiveThemBack) {
  using T = TypeParam;
  const Whole<T> x = testing::some_blocks<T>(testing::some_sizes(17, 1), testing::some_sizes(12, 2), 40, 3);
  testing::in_groups([&](const Comm& comm) {
    const BlockSparse<T> A = testing::distributed(comm, x, BlockDistribution::dealt(17, 12, comm.size()));
    for (bool drop : {false, true})
      for (Int chunk : {Int{1} << 20, Int{100}}) {
        const Range mine = rows_of_rank(A.m(), comm);
        const CsrRows<T> found = to_csr(A, mine, {.drop_zeros = drop, .chunk_bytes = chunk});
        const CsrRows<T> expected = rows_of(x, mine, drop);
        EXPECT_EQ(found.rows, expected.rows);
        EXPECT_EQ(found.first, expected.first);
        EXPECT_EQ(found.cols, expected.cols);
        EXPECT_EQ(found.values, expected.values);
        // All rows, cut elsewhere, to another distribution.
        const CsrRows<T> all = to_csr(A, piece({0, A.m()}, comm.size(), comm.rank()));
        EXPECT_TRUE(
            testing::equal(from_csr<T>(comm, all.view(), x.rows, x.cols,
                                       BlockDistribution::dealt(17, 12, comm.size(), 1), {.chunk_bytes = chunk}),
                           x));
      }
  });
}

TEST(Csr, ElementsGivenTwiceAreSummedAndPointersMayBeginAnywhere) {
  testing::in_groups([](const Comm& comm) {
    const std::vector<Int> first{10, 12, 13}, cols{3, 0, 3};
    const std::vector<double> values{1, 2, 4};
    // All ranks give the same rows.
    const BlockSparse<double> A = from_csr<double>(comm, {{1, 3}, first, cols, values}, {2, 0, 2}, {3, 1},
                                                   BlockDistribution::dealt(3, 2, comm.size()));
    const double ranks = comm.size();
    Whole<double> x{{2, 0, 2}, {3, 1}, {}};
    x.at(0, 0) = {0, 2 * ranks, 0, 0, 0, 0}, x.at(0, 1) = {0, ranks}, x.at(2, 1) = {4 * ranks, 0};
    EXPECT_TRUE(testing::equal(A, x));
  });
}

TEST(Csr, WhatCannotBeIsRefusedOnEveryRank) {
  const Comm comm = Comm::world();
  const bool wrong = comm.rank() == comm.size() - 1;
  const BlockSizes sizes{2, 2};
  const BlockDistribution where = BlockDistribution::dealt(2, 2, comm.size());
  const auto refused = [&](Range rows, std::vector<Int> first, std::vector<Int> cols, const std::string& part) {
    const std::vector<double> values(cols.size());
    const std::vector<Int> none{0};
    const CsrView<double> mine = wrong ? CsrView<double>{rows, first, cols, values} : CsrView<double>{{}, none, {}, {}};
    testing::expect_refused_alike(
        comm, [&] { from_csr<double>(comm, mine, sizes, sizes, where); }, part);
  };
  refused({0, 2}, {0, 1}, {0}, "first: 2 pointers, expected 3 for 2 rows");
  refused({0, 2}, {0, 2, 1}, {0}, "expected pointers that ascend");
  refused({0, 1}, {0, 2}, {0}, "cols, values: 1 and 1 elements, expected 2");
  refused({0, 1}, {0, 1}, {4}, "cols: element 0 is in column 4, expected one of 0..3");
  refused({3, 5}, {0, 0, 0}, {}, "rows: 3 to before 5, expected some of the 4 rows");
  const BlockSparse<double> A(comm, sizes, sizes, where);
  if (comm.size() > 1)
    testing::expect_refused_alike(
        comm,
        [&] {
          to_csr(A, Range{1, 2});
        },
        "two ranks ask for row 1");
  testing::expect_refused_alike(
      comm,
      [&] {
        to_csr(A, Range{0, 5});
      },
      "expected some of the 4 rows");
}

}  // namespace
}  // namespace cairn
