// What the ranks of a Cholesky factorisation receive, and how it is spelled.
#include <gtest/gtest.h>

#include "algorithms.hpp"
#include "triangular.hpp"

namespace cairn {
namespace {

using testing::CholeskyCase;

struct Given {
  Int pr, pc, L;
  std::string grid() const {
    return std::to_string(pr) + 'x' + std::to_string(pc) + (L > 1 ? 'x' + std::to_string(L) : "");
  }
  Int ranks() const { return pr * pc * L; }
};

Totals totals(const Schedule& s) { return count_all(s, expand_collectives(s)); }

// docs/algorithms/cholesky.md, "What a rank receives": all ranks together, exactly.
// Blocks that do not go down the columns, since ranks have no rows from there on: of few blocks on one layer, row y of
// T goes to T - y rows of ranks, where these are fewer than all.
Int spared(Int T, Int rows, Int cols, Int layers) {
  Int all = 0;
  for (Int k = 0; k < T && layers == 1 && T <= 8 * rows && rows + 2 * cols <= 20; ++k)
    for (Int y = k + 1; y < T; ++y) all += std::max<Int>(0, rows - (T - y));
  return all;
}

TEST(Cholesky, ReceivesItsClosedForm) {
  for (const Given& g : std::vector<Given>{{1, 1, 1},
                                           {2, 2, 1},
                                           {2, 3, 1},
                                           {3, 2, 1},
                                           {4, 2, 1},
                                           {4, 6, 1},
                                           {2, 2, 2},
                                           {4, 2, 2},
                                           {3, 2, 2},
                                           {1, 2, 4},
                                           {2, 2, 3}})
    for (Uplo triangle : {Uplo::lower, Uplo::upper}) {
      // Where all is turned, the columns of the grid are its rows.
      const Int rows = triangle == Uplo::lower ? g.pr : g.pc, cols = triangle == Uplo::lower ? g.pc : g.pr;
      const Int b = 2, F = 5, T = F * g.L;
      const Int panels = (rows + cols - 2) * g.L * g.L * F * (F - 1) / 2, L11 = b * (b + 1) / 2 * (T - 1) * (rows - 1);
      const Int within = (rows - 1) * F * g.L * (g.L - 1) / 2, sums = (g.L - 1) * T * (T - 1) / 2;
      const Schedule s = CholeskyCase{T * b, g.grid(), b, triangle, g.ranks()}.schedule();
      const Schedule wire = expand_collectives(s);
      Int all = 0;
      for (Int r = 0; r < s.ranks; ++r) all += count(s, wire, r).received;
      EXPECT_EQ(all, b * b * (panels - spared(T, rows, cols, g.L) + within + sums) + L11)
          << s.algorithm << ' ' << name_of(triangle);
    }
}

// On a square grid a rank off the diagonal gets the panel of its row and that of its column from others, on it one: as
// n grows, (1/s)(1 - 1/(2s)) n² against (1/s)(1 - 1/s) n² in the mean.
TEST(Cholesky, ReceivesTwoPanelsOffTheDiagonalOfASquareGrid) {
  for (Int q : {1, 2, 4, 8}) {
    const Int T = 64;
    const Schedule s = CholeskyCase{T, Given{q, q, 1}.grid(), 1, Uplo::lower, q * q}.schedule();
    testing::expect_received(s, [&](Int rank) {
      const Int i = rank / q, j = rank % q;
      Int words = 0;
      for (Int k = 0; k + 1 < T; ++k) {
        if (j == k % q && i != j) ++words;
        for (Int y = k + 1; y < T; ++y) words += (y % q == i && j != k % q ? 1 : 0) + (y % q == j && i != j ? 1 : 0);
      }
      return words;
    });
  }
  const Totals t = totals(CholeskyCase{1024, "4x4", 1, Uplo::lower, 16}.schedule());
  EXPECT_NEAR(t.mean_received / 1024 / 1024, 0.1875, 0.002);
  EXPECT_NEAR(double(t.max.received) / 1024 / 1024, 0.21875, 0.003);
}

// In units of n², for matrices of many blocks: half the words of the two panels, by layers, and of the layers' sums.
TEST(Cholesky, ReceivesLessInLayersOnAsManyRanks) {
  struct Expected {
    Given grid;
    double words;
  };
  for (const Expected& e : std::vector<Expected>{{{2, 2, 1}, 0.25},
                                                 {{4, 2, 1}, 0.25},
                                                 {{4, 4, 1}, 0.1875},
                                                 {{8, 4, 1}, 0.15625},
                                                 {{8, 8, 1}, 0.109},
                                                 {{2, 2, 2}, 0.1875},
                                                 {{4, 2, 2}, 0.15625},
                                                 {{4, 4, 2}, 0.109},
                                                 {{4, 4, 4}, 0.0703}}) {
    const Int n = 480;
    const Totals t = totals(CholeskyCase{n, e.grid.grid(), 1, Uplo::lower, e.grid.ranks()}.schedule());
    EXPECT_NEAR(t.mean_received / double(n * n) / e.words, 1, 0.04) << e.grid.grid();
  }
}

TEST(Cholesky, IsInPlaceOnScaLAPACKsMatrices) {
  for (auto [pr, pc, L] : std::vector<std::array<Int, 3>>{{2, 4, 1}, {2, 2, 2}, {4, 1, 2}, {2, 1, 4}})
    for (Uplo triangle : {Uplo::lower, Uplo::upper}) {
      FactoriseProblem p;
      p.n = 43, p.triangle = triangle, p.ranks = 8;
      const bool lower = triangle == Uplo::lower;
      p.a = Layout::block_cyclic(p.n, p.n, {3, 3, lower ? pr : pr * L, lower ? pc * L : pc});
      EXPECT_FALSE(redistributes(make_algorithm(p, "cholesky " + Given{pr, pc, L}.grid() + " b=3")));
    }
}

TEST(Cholesky, VariantsAreSpelledAsTheyAreMade) {
  FactoriseProblem p;
  p.n = 700, p.ranks = 12;
  const std::vector<Sketch> all = variants(p);
  EXPECT_GT(all.size(), 10U);
  for (const Sketch& s : all) EXPECT_EQ(make_algorithm(p, s.spelling).algorithm, s.spelling);
}

TEST(Cholesky, RefusalsSayWhyAndShowAnExample) {
  FactoriseProblem p;
  p.n = 100, p.ranks = 8;
  const auto said = [&](const char* spelling) { return testing::refusal([&] { make_algorithm(p, spelling); }); };
  for (auto [spelling, why] : {std::pair("cholesky 2x2", "b="),
                               {"cholesky b=2", "4x4"},
                               {"cholesky 2x2 b=0", "'b=0'"},
                               {"cholesky 2x2 b=4 cyclic", "'cyclic'"}}) {
    EXPECT_NE(said(spelling).find(why), std::string::npos) << said(spelling);
    EXPECT_NE(said(spelling).find("as in cholesky 4x4x2 b=64"), std::string::npos) << said(spelling);
  }
  EXPECT_EQ(said("cholesky 3x3 b=4"), "cholesky 3x3 b=4: the grid needs 9 ranks, expected at most 8");
  EXPECT_EQ(said("summa 2x2 b=4"), "algorithm: 'summa' is unknown, expected one of cholesky, triangle, cholesky25d");
  for (const char* spelling : {"cholesky 2x1 b=4611686018427387904", "triangle 7 b=4611686018427387904",
                               "cholesky25d 2x2x2 b=4611686018427387904 f=1"})  // twice that is no number
    EXPECT_EQ(said(spelling), "algorithm: panels of width 4611686018427387904, expected at most 1099511627776");
  p.triangle = Uplo::full;
  EXPECT_EQ(said("cholesky 2x2 b=4"), "triangle: full, expected lower or upper");
}

}  // namespace
}  // namespace cairn
