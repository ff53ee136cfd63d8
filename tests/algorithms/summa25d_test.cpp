// What the ranks of 2.5D SUMMA receive, how wide its panels are, and what it refuses.
#include "algorithms/summa25d.hpp"

#include <gtest/gtest.h>

#include <numeric>

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

// docs/algorithms/summa25d.md, "What a rank receives".
TEST(Summa25d, ReceivesItsClosedFormOnEveryRank) {
  for (auto [pr, pc, L] : {std::array<Int, 3>{1, 1, 1}, {2, 2, 1}, {2, 2, 2}, {4, 2, 2}, {2, 3, 4}, {3, 1, 3}}) {
    const Int b = 2, m = 3 * pr, n = 5 * pc, k = 2 * L * std::lcm(pr, pc) * b, q = pr * pc;
    const Schedule s = summa25d(problem(m, n, k, q * L), {pr, pc, L, b}), wire = expand_collectives(s);
    for (Int r = 0; r < q * L; ++r) {
      const bool first = s.grid.index(r, 2) == 0;
      EXPECT_EQ(count(s, wire, r).received, (first ? (L - 1) * m * n / q : (m * k + k * n) / q) +
                                                m * k / (pr * L) * (pc - 1) / pc + k * n / (pc * L) * (pr - 1) / pr)
          << s.algorithm << " rank " << r;
    }
  }
}

TEST(Summa25d, PanelsAreAtMostAsWideAsAskedAndEveryRankOwnsSome) {
  for (Int k : {1, 7, 64, 1000, 4099})
    for (Int b : {1, 3, 16, 5000})
      for (auto [pr, pc, L] : {std::array<Int, 3>{1, 1, 1}, {2, 3, 2}, {4, 1, 3}}) {
        const Schedule s = summa25d(problem(8, 8, k, 12), {pr, pc, L, b});
        for (const LabelledStep& l : s.steps)
          for (Int r = 0; r < s.grid.size() && std::holds_alternative<Gemm>(l.step); ++r)
            ASSERT_LE(s.layout(std::get<Gemm>(l.step).A).cols_at(r).size(), b) << s.algorithm;
        if (k < 64) continue;
        for (Int r = 0; r < s.grid.size(); r += L) {
          ASSERT_GT(s.layout(s.find("A")).words(r), 0) << s.algorithm;
          ASSERT_GT(s.layout(s.find("B")).words(r), 0) << s.algorithm;
        }
      }
}

TEST(Summa25d, ReceivesLessOnLayersThanOnOneLayerOfAsManyRanks) {
  const auto most = [](const Summa25d& how) {
    const Schedule s = summa25d(problem(512, 512, 512, 256), how);
    return count_all(s, expand_collectives(s)).max.received;
  };
  EXPECT_LT(most({8, 8, 4, 16}), most({16, 16, 1, 16}));
}

std::string refusal(const std::string& spelling) {
  try {
    make_algorithm(problem(100, 100, Int{1} << 40, 8), spelling);
  } catch (const ArgumentError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Summa25d, RefusalsSayWhyAndShowAnExample) {
  for (auto [spelling, why] :
       std::initializer_list<std::pair<const char*, const char*>>{{"summa25d 2x2 b=4", "'2x2'"},
                                                                  {"summa25d 2x2x2", "b="},
                                                                  {"summa25d 2x2x2 b=0", "'b=0'"},
                                                                  {"summa25d 2x2x2 b=4 cyclic", "'cyclic'"},
                                                                  {"summa25d 2x2x2 b=4", "b=4 make"}}) {
    const std::string what = refusal(spelling);
    EXPECT_NE(what.find(why), what.npos) << spelling << ": " << what;
    EXPECT_NE(what.find("as in summa25d 4x4x2 b=256"), what.npos) << spelling << ": " << what;
  }
  EXPECT_EQ(refusal("summa25d 3x3x1 b=4"), "summa25d 3x3x1 b=4: the grid needs 9 ranks, expected at most 8");
}

}  // namespace
}  // namespace cairn
