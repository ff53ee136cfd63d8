// What the ranks of the 3D algorithm receive, and what it refuses.
#include <gtest/gtest.h>

#include "algorithms.hpp"

namespace cairn {
namespace {

using testing::expect_received;
using testing::expect_refusals;
using testing::made;
using testing::problem;
using testing::refusal_of;

// docs/algorithms/agarwal3d.md, "What a rank receives".
TEST(Agarwal3d, ReceivesItsClosedFormOnEveryRank) {
  for (auto [pm, pn, pk] : {std::array<Int, 3>{1, 1, 1}, {2, 2, 2}, {2, 3, 4}, {4, 1, 2}, {1, 1, 5}, {3, 2, 1}}) {
    const GemmProblem p = problem(3 * pm, 5 * pn, 7 * pk, pm * pn * pk);
    const Schedule s = made(p, "agarwal3d", {pm, pn, pk});
    const Int A = p.m * p.k / (pm * pk), B = p.k * p.n / (pk * pn), C = p.m * p.n / (pm * pn), layers = pk;
    expect_received(s, [&](Int r) {
      const bool i0 = s.grid.index(r, 0) == 0, j0 = s.grid.index(r, 1) == 0, l0 = s.grid.index(r, 2) == 0;
      return (j0 ? 0 : A) + (i0 ? 0 : B) + (l0 ? (layers - 1) * C : 0);
    });
  }
}

TEST(Agarwal3d, EachMatrixIsHeldOnceOnItsFace) {
  const Schedule s = made(problem(8, 8, 8, 8), "agarwal3d", {2, 2, 2});
  for (auto [name, axis] : {std::pair<const char*, int>{"A", 1}, {"B", 0}, {"C", 2}})
    for (Int r = 0; r < 8; ++r)
      EXPECT_EQ(s.layout(s.find(name)).words(r), s.grid.index(r, axis) == 0 ? 16 : 0) << name << " on rank " << r;
}

TEST(Agarwal3d, RefusalsSayWhyAndShowAnExample) {
  const GemmProblem p = problem(100, 100, 100, 8);
  expect_refusals(p, "agarwal3d 2x3x2",
                  {{"agarwal3d 2x2", "'2x2'"},
                   {"agarwal3d", "the grid is missing"},
                   {"agarwal3d 2x0x2", "'2x0x2'"},
                   {"agarwal3d 2x2x2 b=4", "'b=4'"}});
  EXPECT_EQ(refusal_of(p, "agarwal3d 2x3x2"), "agarwal3d 2x3x2: the grid needs 12 ranks, expected at most 8");
}

}  // namespace
}  // namespace cairn
