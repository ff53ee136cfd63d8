// Sizes that sums of random patterns are expected to have.
#include "schedule/expected_panels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace cairn {
namespace {

constexpr Int blocks = 40, words = 36;

using Pattern = std::vector<bool>;

Pattern drawn(std::mt19937& random, double occupancy) {
  Pattern all(blocks * blocks);
  for (auto&& there : all) there = std::bernoulli_distribution(occupancy)(random);
  return all;
}

PanelSizes sizes_of(const Pattern& x) {
  const auto there = std::count(x.begin(), x.end(), true);
  return {1, 1, [there](std::size_t, std::size_t) { return PanelSizes::Size{there * words, 0}; }};
}

Int words_of_product(const Pattern& A, const Pattern& B) {
  Int sum = 0;
  for (Int i = 0; i < blocks; ++i)
    for (Int j = 0; j < blocks; ++j) {
      bool there = false;
      for (Int k = 0; k < blocks && !there; ++k) there = A[i * blocks + k] && B[k * blocks + j];
      sum += there ? words : 0;
    }
  return sum;
}

// Of a full matrix and a sparse one, whole block columns of the product are there or missing.
TEST(ExpectedSums, RandomPatternsStayBelowTheMostThatIsExpected) {
  std::mt19937 random(1);
  const PanelParts part{{blocks * 6.0, blocks}};
  for (const auto& [a, b] : {std::pair{1.0, 0.0172}, {1.0, 0.1}, {0.03, 1.0}, {0.15, 0.15}, {0.5, 0.02}}) {
    bool below_all = false;
    for (int draw = 0; draw < 60; ++draw) {
      const Pattern A = drawn(random, a), B = drawn(random, b);
      const ExpectedSums sums(sizes_of(A), sizes_of(B), part, part, part);
      const double most = sums.at_most().words(1);
      EXPECT_LE(static_cast<double>(words_of_product(A, B)), most * (1 + 1e-12)) << a << " and " << b;
      EXPECT_LE(sums.words(1), most);
      below_all |= most < blocks * blocks * words;
    }
    EXPECT_TRUE(below_all || b == 0.1) << a << " and " << b;
  }
}

}  // namespace
}  // namespace cairn
