// Which cuts CARMA chooses, what they cost beside COSMA's, and what it refuses.
#include "algorithms/carma.hpp"

#include <gtest/gtest.h>

#include "algorithms.hpp"
#include "cairn/plan.hpp"

namespace cairn {
namespace {

using testing::expect_refusals;
using testing::most;
using testing::problem;
using testing::refusal_of;

TEST(Carma, HalvesTheLargestDimension) {
  const auto cuts = [](Int m, Int n, Int k, Int ranks, Int dfs) {
    return print_cosma_cuts(carma_cuts(m, n, k, ranks, dfs));
  };
  EXPECT_EQ(cuts(64, 64, 64, 8, 0), "pm2,pn2,pk2");
  EXPECT_EQ(cuts(64, 64, 64, 8, 2), "sm2,sn2,pk2,pm2,pn2");
  EXPECT_EQ(cuts(100, 10, 10, 16, 0), "pm2,pm2,pm2,pm2");
  EXPECT_EQ(cuts(16, 16, 256, 16, 0), "pk2,pk2,pk2,pk2");
  EXPECT_EQ(cuts(5, 9, 7, 4, 0), "pn2,pk2");
  EXPECT_EQ(cuts(0, 0, 0, 1, 0), "pm1");
}

TEST(Carma, PlansPrintTheCuts) {
  const std::string text = plan(problem(64, 64, 256, 8), {.algorithm = "carma 8"}).explain();
  EXPECT_NE(text.find("carma 8\n"), text.npos) << text;
  EXPECT_NE(text.find("pk2,pk2,pm2\n"), text.npos) << text;
}

TEST(Carma, IsCosmaWithItsCuts) {
  const GemmProblem p = problem(60, 70, 50, 16);
  Schedule s = make_algorithm(p, "carma 16 dfs=1").schedule;
  EXPECT_EQ(s.algorithm, "carma 16 dfs=1");
  s.algorithm = "cosma " + print_cosma_cuts(carma_cuts(60, 70, 50, 16, 1));
  EXPECT_TRUE(s == make_algorithm(p, s.algorithm).schedule);
}

// docs/algorithms/carma.md, "What a rank receives".
TEST(Carma, ReceivesItsClosedForm) {
  const Int m = 64, n = 128, k = 256;
  const MadeAlgorithm made = make_algorithm(problem(m, n, k, 128), "carma 128");
  const auto [pm, pn, pk] = made.grid;
  EXPECT_EQ(most(problem(m, n, k, 128), "carma 128").received,
            m * k / (pm * pk) * (pn - 1) / pn + k * n / (pk * pn) * (pm - 1) / pm + m * n / (pm * pn) * (pk - 1) / pk);
}

// [cosma-sc19 Table 2], enough memory: 3 (mnk/p)^(2/3) with a rank's own parts.
TEST(Carma, TouchesThreeFacesOfItsCubeWhereMemoryIsAmple) {
  const Int n = 64, p = 64;
  EXPECT_EQ(most(problem(n, n, n, p), "carma 64").received + 3 * n * n / p, 3 * (n / 4) * (n / 4));
}

// [cosma-sc19 Table 2], square matrices and limited memory; p = 64, memory beside own parts in units of S = 2n²/p.
TEST(Carma, ReceivesNearlyTwiceAsMuchAsAFlatGridWhereMemoryIsShort) {
  const Int n = 512, p = 64, S = 2 * n * n / p, own = 3 * n * n / p;
  const auto measured = [&](const std::string& spelling) {
    const Count c = most(problem(n, n, n, p), spelling);
    return std::pair(static_cast<double>(c.peak_words - own) / static_cast<double>(S),
                     static_cast<double>(c.received) / (2.0 * static_cast<double>(n * n) / 8));
  };
  EXPECT_EQ(measured("carma 64"), std::pair(7.0, 0.5625));
  EXPECT_EQ(measured("carma 64 dfs=3"), std::pair(1.75, 0.9375));
  EXPECT_EQ(measured("carma 64 dfs=6"), std::pair(1.0, 1.6875));
  EXPECT_EQ(measured("cosma pm8,pn8,sk8"), std::pair(1.0, 0.875));
}

TEST(Carma, RefusalsSayWhyAndShowAnExample) {
  const GemmProblem p = problem(100, 100, 100, 8);
  expect_refusals(p, "carma 8 dfs=2",
                  {{"carma", "the grid is missing"},
                   {"carma 6", "on 6 ranks, expected a power of two"},
                   {"carma 2x2", "'2x2'"},
                   {"carma 8 dfs=0", "'dfs=0'"},
                   {"carma 8 dfs=21", "dfs=21, expected at most 20"},
                   {"carma 8 bfs=1", "'bfs=1'"}});
  EXPECT_EQ(refusal_of(p, "carma 16"), "carma 16: the grid needs 16 ranks, expected at most 8");
}

}  // namespace
}  // namespace cairn
