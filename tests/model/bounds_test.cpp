#include "model/bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn {
namespace {

TEST(Bounds, SequentialIsTheoremOne) {
  EXPECT_DOUBLE_EQ(sequential_bound(100, 200, 300, 400), 2.0 * 100 * 200 * 300 / 20 + 100 * 200);
}

TEST(Bounds, ParallelIsCubicOnceMemorySuffices) {
  EXPECT_DOUBLE_EQ(parallel_bound(4096, 4096, 4096, 64, 1 << 20), 3.0 * (1 << 20));
  EXPECT_DOUBLE_EQ(parallel_bound(4096, 4096, 4096, 64, 1e18), 3.0 * (1 << 20));
}

TEST(Bounds, ParallelGrowsAsMemoryShrinks) {
  const double share = 4096.0 * 4096 * 4096 / 64;
  EXPECT_DOUBLE_EQ(parallel_bound(4096, 4096, 4096, 64, 1 << 16), 2 * share / (1 << 8) + (1 << 16));
  double last = 0;
  for (double S = 1e7; S > 1; S /= 2) {
    const double bound = parallel_bound(4096, 4096, 4096, 64, S);
    EXPECT_GE(bound, last);
    last = bound;
  }
}

TEST(Bounds, OptimalDomainFillsMemoryAndSharesTheWork) {
  for (double S : {1e3, 1e5, 1e9}) {
    const LocalDomain d = optimal_domain(1000, 2000, 3000, 60, S);
    EXPECT_NEAR(d.a * d.a, std::min(S, std::pow(1e8, 2.0 / 3)), 1e-9 * S);
    EXPECT_NEAR(d.a * d.a * d.b, 1000.0 * 2000 * 3000 / 60, 1);
  }
}

// Where a one-, two- or three-dimensional grid comes out even it receives exactly the bound.
TEST(Bounds, ReceivedIsAttainedByEvenGrids) {
  // p ≤ d1/d2: cut the longest dimension, gather the smallest matrix.
  EXPECT_DOUBLE_EQ(received_bound(64, 32, 4096, 16), 64 * 32 * (1 - 1.0 / 16));
  // d1/d2 < p ≤ d1·d2/d3²: cut the two longer ones, a 4 × 4 grid.
  EXPECT_DOUBLE_EQ(received_bound(1024, 1024, 16, 16), 2 * 256 * 16 * (1 - 1.0 / 4));
  // beyond: a 4 × 4 × 4 grid.
  EXPECT_NEAR(received_bound(4096, 4096, 4096, 64), 3.0 * 1024 * 1024 * (1 - 1.0 / 4), 1e-3);
}

TEST(Bounds, ReceivedDoesNotDependOnTheOrderOfDimensions) {
  for (Int p : {1, 2, 7, 64, 1000})
    for (const auto& d : {std::array<Int, 3>{10, 200, 3000}, std::array<Int, 3>{7, 7, 900}}) {
      const double bound = received_bound(d[0], d[1], d[2], p);
      EXPECT_DOUBLE_EQ(bound, received_bound(d[2], d[0], d[1], p));
      EXPECT_DOUBLE_EQ(bound, received_bound(d[1], d[0], d[2], p));
    }
}

TEST(Bounds, ReceivedIsContinuousBetweenItsCases) {
  EXPECT_NEAR(received_bound(100, 100, 1600, 16), received_bound(100, 100, 1601, 16), 10);
  EXPECT_NEAR(received_bound(1600, 1600, 400, 16), received_bound(1601, 1600, 400, 16), 1000);
}

TEST(Bounds, NothingToMultiplyNeedsNothing) {
  for (Int p : {1, 8})
    for (const auto& d : {std::array<Int, 3>{0, 5, 6}, std::array<Int, 3>{5, 0, 6}, std::array<Int, 3>{0, 0, 0}}) {
      EXPECT_EQ(received_bound(d[0], d[1], d[2], p), 0);
      EXPECT_EQ(parallel_bound(d[0], d[1], d[2], p, 100), 0);
      EXPECT_EQ(sequential_bound(d[0], d[1], d[2], 0), 0);
    }
  EXPECT_EQ(sequential_bound(4, 5, 0, 0), 20);
  EXPECT_EQ(received_bound(5, 6, 7, 1), 0);
}

}  // namespace
}  // namespace cairn
