// What keeping a schedule is thought to take.
#include <gtest/gtest.h>

#include <numeric>

#include "algorithms/redistribution.hpp"

namespace cairn {
namespace {

// Some 200 bytes a block, as measured.
TEST(BytesOf, CountsArbitraryBlocks) {
  constexpr Int across = 40, ranks = 2;
  std::vector<Int> bounds(across + 1), owner(across * across);
  std::iota(bounds.begin(), bounds.end(), 0);
  for (std::size_t i = 0; i < owner.size(); ++i) owner[i] = static_cast<Int>(i) % ranks;
  const Layout rows = Layout::row_blocks(across, across, ranks), cols = Layout::col_blocks(across, across, ranks),
               blocks = Layout::arbitrary(across, across, ranks, {bounds, bounds, owner});
  const Int without = bytes_of(redistribution(Op::none, rows, cols, ranks));
  EXPECT_GT(bytes_of(redistribution(Op::none, blocks, cols, ranks)), without + 150 * across * across);
  EXPECT_GT(bytes_of(redistribution(Op::none, blocks, blocks, ranks)), without + 300 * across * across);
}

}  // namespace
}  // namespace cairn
