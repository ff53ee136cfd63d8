// What the ranks of the 3D algorithm receive, and what it refuses.
#include "algorithms/agarwal3d.hpp"

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "cairn/error.hpp"
#include "interpret/count.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {
namespace {

GemmProblem problem(Int m, Int n, Int k, Int ranks) {
  GemmProblem p;
  p.m = m, p.n = n, p.k = k, p.ranks = ranks;
  return p;
}

// docs/algorithms/agarwal3d.md, "What a rank receives".
TEST(Agarwal3d, ReceivesItsClosedFormOnEveryRank) {
  for (auto [pm, pn, pk] : {std::array<Int, 3>{1, 1, 1}, {2, 2, 2}, {2, 3, 4}, {4, 1, 2}, {1, 1, 5}, {3, 2, 1}}) {
    const GemmProblem p = problem(3 * pm, 5 * pn, 7 * pk, pm * pn * pk);
    const Schedule s = agarwal3d(p, pm, pn, pk), wire = expand_collectives(s);
    for (Int r = 0; r < p.ranks; ++r) {
      const Int A = p.m * p.k / (pm * pk), B = p.k * p.n / (pk * pn), C = p.m * p.n / (pm * pn);
      const bool i0 = s.grid.index(r, 0) == 0, j0 = s.grid.index(r, 1) == 0, l0 = s.grid.index(r, 2) == 0;
      EXPECT_EQ(count(s, wire, r).received, (j0 ? 0 : A) + (i0 ? 0 : B) + (l0 ? (pk - 1) * C : 0))
          << s.algorithm << " rank " << r;
    }
  }
}

TEST(Agarwal3d, EachMatrixIsHeldOnceOnItsFace) {
  const Schedule s = agarwal3d(problem(8, 8, 8, 8), 2, 2, 2);
  for (auto [name, axis] : {std::pair<const char*, int>{"A", 1}, {"B", 0}, {"C", 2}})
    for (Int r = 0; r < 8; ++r)
      EXPECT_EQ(s.layout(s.find(name)).words(r), s.grid.index(r, axis) == 0 ? 16 : 0) << name << " on rank " << r;
}

std::string refusal(const std::string& spelling) {
  try {
    make_algorithm(problem(100, 100, 100, 8), spelling);
  } catch (const ArgumentError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Agarwal3d, RefusalsSayWhyAndShowAnExample) {
  for (auto [spelling, why] :
       std::initializer_list<std::pair<const char*, const char*>>{{"agarwal3d 2x2", "'2x2'"},
                                                                  {"agarwal3d", "''"},
                                                                  {"agarwal3d 2x0x2", "'2x0x2'"},
                                                                  {"agarwal3d 2x2x2 b=4", "'b=4'"}}) {
    const std::string what = refusal(spelling);
    EXPECT_NE(what.find(why), what.npos) << spelling << ": " << what;
    EXPECT_NE(what.find("as in agarwal3d 2x3x2"), what.npos) << spelling << ": " << what;
  }
  EXPECT_EQ(refusal("agarwal3d 2x3x2"), "agarwal3d 2x3x2: the grid needs 12 ranks, expected at most 8");
}

}  // namespace
}  // namespace cairn
