// Distributions of blocks: what lies together.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>

#include "cairn/blocks.hpp"
#include "cairn/error.hpp"
#include "model/hilbert.hpp"
#include "refusal.hpp"

namespace cairn {
namespace {

using Places = std::vector<std::array<double, 3>>;

// What makes it Hilbert's: all cells once, and from each to the next a single step.
TEST(Hilbert, GoesThroughAllCellsByStepsOfOne) {
  for (int bits : {1, 2, 3}) {
    const std::uint32_t side = 1U << bits;
    std::map<std::uint64_t, std::array<std::uint32_t, 3>> cells;
    for (std::uint32_t i = 0; i < side; ++i)
      for (std::uint32_t j = 0; j < side; ++j)
        for (std::uint32_t k = 0; k < side; ++k) cells[hilbert_number({i, j, k}, bits)] = {i, j, k};
    ASSERT_EQ(cells.size(), side * side * side);
    EXPECT_EQ(cells.rbegin()->first, cells.size() - 1);
    for (auto a = cells.begin(), b = std::next(a); b != cells.end(); ++a, ++b) {
      int steps = 0;
      for (std::size_t d = 0; d < 3; ++d)
        steps += std::abs(static_cast<int>(a->second[d]) - static_cast<int>(b->second[d]));
      EXPECT_EQ(steps, 1) << bits << ' ' << a->first;
    }
  }
}

TEST(BlockDistribution, ByRegionDealsAsManyBlocksToAll) {
  Places line;
  for (int i = 0; i < 23; ++i) line.push_back({5.0 - i, 2, -7});
  const BlockDistribution where = BlockDistribution::by_region(line, 2, 3);
  ASSERT_EQ(where.row.size(), 23U);
  for (const auto& [of, parts] : {std::pair(where.row, 2), std::pair(where.col, 3)}) {
    for (int part = 0; part < parts; ++part) {
      const auto count = std::count(of.begin(), of.end(), part);
      EXPECT_GE(count, 23 / parts - 1);
      EXPECT_LE(count, 23 / parts + 2);
    }
  }
}

TEST(BlockDistribution, ByRegionKeepsNeighboursTogether) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> x(0, 10);
  Places places;
  for (int i = 0; i < 1000; ++i) places.push_back({x(random), x(random), x(random)});
  const auto apart = [&](const BlockDistribution& where) {
    Int pairs = 0;
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        double square = 0;
        for (std::size_t d = 0; d < 3; ++d) square += std::pow(places[i][d] - places[j][d], 2);
        if (square < 1 && where.row[i] != where.row[j]) ++pairs;
      }
    return pairs;
  };
  EXPECT_LT(3 * apart(BlockDistribution::by_region(places, 8, 1)), apart(BlockDistribution::dealt(1000, 1000, 8, 1)));
}

// Rows by the longest axis, columns by the next one: pairs of near places are spread over all ranks.
TEST(BlockDistribution, ByRegionCrossesSlabsOnAGrid) {
  Places places;
  for (int p = 0; p < 6 * 8 * 2; ++p) places.push_back({p % 6 * 1.0, p / 6 % 8 * 1.0, p / 48 * 1.0});
  const BlockDistribution where = BlockDistribution::by_region(places, 4, 3);
  for (std::size_t p = 0; p < places.size(); ++p) {
    EXPECT_EQ(where.row[p], static_cast<BlockIndex>(places[p][1] / 2));
    EXPECT_EQ(where.col[p], static_cast<BlockIndex>(places[p][0] / 2));
  }
  const BlockDistribution wide = BlockDistribution::by_region(places, 3, 4);  // the longest axis has the most slabs
  EXPECT_EQ(wide.row, where.col);
  EXPECT_EQ(wide.col, where.row);
}

TEST(BlockDistribution, ByRegionTakesAnyPlaces) {
  EXPECT_TRUE(BlockDistribution::by_region({}, 4).row.empty());
  const BlockDistribution same = BlockDistribution::by_region(Places(8, {1, 1, 1}), 2, 2);
  EXPECT_EQ(std::count(same.row.begin(), same.row.end(), 0), 4);
  constexpr BlockIndex most = std::numeric_limits<BlockIndex>::max();  // as many rows take no memory
  EXPECT_EQ(BlockDistribution::by_region(Places(2), most, 1).row, (std::vector<BlockIndex>{0, most / 2}));
  for (double bad : {std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(BlockDistribution::by_region({{0, 0, 0}, {0, bad, 0}}, 2), ArgumentError);
}

TEST(BlockDistribution, RefusesNumbersThatNoGridHas) {
  const auto refused = [](auto f, const char* part) {
    const std::string said = testing::refusal<ArgumentError>(f);
    EXPECT_EQ(said.find(part), 0u) << said;
  };
  refused([] { BlockDistribution::dealt(4, 4, 0); }, "ranks: 0, expected 1 to");
  refused([] { BlockDistribution::dealt(4, 4, -4); }, "ranks: -4, expected 1 to");
  refused([] { BlockDistribution::dealt(-1, 4, 2); }, "block_rows: -1, expected 0 to");
  refused([] { BlockDistribution::dealt(4, -1, 2, 1); }, "block_cols: -1, expected 0 to");
  refused([] { BlockDistribution::dealt(4, Int{1} << 31, 2, 1); }, "block_cols: 2147483648, expected 0 to");
  refused([] { BlockDistribution::dealt(4, 4, 0, 1); }, "pr: 0, expected 1 to");
  refused([] { BlockDistribution::by_region(Places(3), 0); }, "ranks: 0, expected 1 to");
  refused([] { BlockDistribution::by_region(Places(3), 2, 0); }, "pc: 0, expected 1 to");
}

}  // namespace
}  // namespace cairn
