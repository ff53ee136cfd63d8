// What the ranks of a Cholesky factorisation receive if it is done as the paper does it in 2.5D, and how it is spelled.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "algorithms.hpp"
#include "base/arithmetic.hpp"
#include "triangular.hpp"

namespace cairn {
namespace {

using testing::CholeskyCase;

/// F block columns of L narrow ones, g of them in a fat panel.
struct Of {
  Int pr, pc, L, F, g;
  Int ranks() const { return pr * pc * L; }
  std::string grid() const { return fmt::format("{}x{}x{}", pr, pc, L); }
  Schedule schedule(Int b, Uplo triangle) const {
    return CholeskyCase{F * L * b, grid(), b, triangle, ranks(), "cholesky25d", F / g}.schedule();
  }
};

// docs/algorithms/cholesky25d.md, "What a rank receives": all ranks together, with narrow blocks of order b.
Int received(const Of& x, Int b, Uplo triangle) {
  const Int pr = triangle == Uplo::lower ? x.pr : x.pc, pc = triangle == Uplo::lower ? x.pc : x.pr;
  const Int L = x.L, line = L * pr - 1;    // the other ranks of a column
  Int all = x.F * L * (L - 1) / 2 * line;  // in words of a narrow block
  for (Int v = 0; v < x.F; ++v) {
    const Int panel_ends = (v / x.g + 1) * x.g, rest = x.F - panel_ends;
    if (v >= x.g) all += (L - 1) * L * L * (x.F - v);  // sums
    if (v + 1 < panel_ends) all += L * L * ((x.F - v - 1) * (pc - 1) + (panel_ends - v - 1) * line);
    all += rest * (L * (L - 1) + L * L * (pr + pc - 2));
  }
  return b * b * all + b * (b + 1) / 2 * (x.F * L - 1) * line;
}

TEST(Cholesky25d, ReceivesItsClosedForm) {
  for (const Of& x : std::vector<Of>{{1, 1, 1, 4, 2},
                                     {2, 2, 1, 6, 2},
                                     {1, 1, 2, 6, 3},
                                     {1, 2, 3, 6, 2},
                                     {2, 1, 3, 4, 1},
                                     {2, 2, 2, 6, 1},
                                     {2, 2, 2, 6, 2},
                                     {2, 2, 2, 6, 6},
                                     {3, 2, 2, 8, 4},
                                     {2, 3, 2, 9, 3},
                                     {4, 2, 2, 8, 2}})
    for (Uplo triangle : {Uplo::lower, Uplo::upper}) {
      const Int b = 2;
      const Schedule s = x.schedule(b, triangle), wire = expand_collectives(s);
      Int all = 0;
      for (Int r = 0; r < s.ranks; ++r) all += count(s, wire, r).received;
      EXPECT_EQ(all, received(x, b, triangle)) << s.algorithm << ' ' << name_of(triangle);
    }
}

double mean(const Of& x) {
  const auto n = static_cast<double>(x.F * x.L);
  return static_cast<double>(received(x, 1, Uplo::lower)) / static_cast<double>(x.ranks()) / (n * n);
}

// In units of n², on s × s × L ranks: (1.5/(sL))(1 - 1/s) + (L - 1)/(2p), which counts neither the way of the panel's
// blocks to their layers nor that its last block column updates nothing in it.
TEST(Cholesky25d, ReceivesAsManyWordsAsThePaper) {
  struct Expected {
    Int s, L;
    double words;
  };
  for (const Expected& e : std::vector<Expected>{
           {2, 2, 0.250}, {2, 4, 0.188}, {4, 2, 0.156}, {4, 4, 0.094}, {8, 4, 0.047}, {8, 16, 0.018}}) {
    const Int g = 4;
    const Of x{e.s, e.s, e.L, 512, g};
    const double s = static_cast<double>(e.s), L = static_cast<double>(e.L), p = s * s * L;
    const double paper = 1.5 / (s * L) * (1 - 1 / s) + (L - 1) / (2 * p);
    EXPECT_NEAR(paper, e.words, 0.0006) << p;
    EXPECT_NEAR(mean(x) / (paper + (1 - 1 / L) / (2 * p) - (1 - 1 / s) / (2 * s * L * g)), 1, 0.03) << p;
    EXPECT_NEAR(mean(x) / paper, 1, 0.1) << p;
  }
}

// docs/algorithms/cholesky.md, for a lower triangle.
Int by_steps(const Of& x) {
  const Int T = x.F * x.L;
  return (x.pr + x.pc - 2) * x.L * x.L * x.F * (x.F - 1) / 2 + (T - 1) * (x.pr - 1) +
         (x.pr - 1) * x.F * x.L * (x.L - 1) / 2 + (x.L - 1) * T * (T - 1) / 2;
}

// Whatever the grid in layers and the fat panels, more than by steps on its best grid: why plans do not look at it
// unless it is named.
TEST(Cholesky25d, ReceivesMoreWordsThanBySteps) {
  for (Int T : {16, 64, 256})
    for (Int ranks = 2; ranks <= 1024; ranks *= 2) {
      Int least = std::numeric_limits<Int>::max(), least_by_steps = least;
      for (Int pr = 1; pr <= ranks; pr *= 2)
        for (Int pc = 1; pc <= ranks / pr; pc *= 2) {
          const Of x{pr, pc, ranks / pr / pc, T / (ranks / pr / pc), 1};
          if (x.F < 1) continue;
          least_by_steps = std::min(least_by_steps, by_steps(x));
          for (Int g = 1; x.L > 1 && g <= x.F; g *= 2)
            least = std::min(least, received({pr, pc, x.L, x.F, g}, 1, Uplo::lower));
        }
      EXPECT_GT(least, least_by_steps) << T << ' ' << ranks;
    }
  for (const Of& x : std::vector<Of>{{2, 2, 2, 6, 1}, {3, 1, 3, 4, 1}}) {
    const CholeskyCase c{x.F * x.L, x.grid(), 1, Uplo::lower, x.ranks()};
    EXPECT_NEAR(count_all(c.schedule(), expand_collectives(c.schedule())).mean_received * real(x.ranks()),
                real(by_steps(x)), 1e-6);
  }
}

TEST(Cholesky25d, IsLookedAtOnlyWhereItIsNamed) {
  FactoriseProblem p;
  p.n = 700, p.ranks = 16;
  testing::expect_variants(p, "cholesky25d", false);
}

TEST(Cholesky25d, RefusalsSayWhyAndShowAnExample) {
  FactoriseProblem p;
  p.n = 100, p.ranks = 8;
  const auto said = [&](const char* spelling) { return testing::refusal([&] { make_algorithm(p, spelling); }); };
  for (auto [spelling, why] : {std::pair("cholesky25d 2x2x2 b=4", "f="),
                               {"cholesky25d 2x2x2 f=4", "b="},
                               {"cholesky25d 2x2 b=4 f=2", "4x4x2"},
                               {"cholesky25d 2x2x2 b=4 f=0", "'f=0'"}}) {
    EXPECT_NE(said(spelling).find(why), std::string::npos) << said(spelling);
    EXPECT_NE(said(spelling).find("as in cholesky25d 4x4x2 b=64 f=8"), std::string::npos) << said(spelling);
  }
  EXPECT_EQ(said("cholesky25d 2x2x3 b=4 f=2"),
            "cholesky25d 2x2x3 b=4 f=2: the grid needs 12 ranks, expected at most 8");
  p.triangle = Uplo::full;
  EXPECT_EQ(said("cholesky25d 2x2x2 b=4 f=2"), "triangle: full, expected lower or upper");
}

}  // namespace
}  // namespace cairn
