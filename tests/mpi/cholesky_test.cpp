// Triangles and factorisations over MPI.
#include <gtest/gtest.h>

#include "algorithms/triangle_blocks.hpp"
#include "base/scalars.hpp"
#include "in_place.hpp"
#include "triangular.hpp"

namespace cairn {
namespace {

using testing::CholeskyCase;

template <class T>
void expect_factors(const CholeskyCase& c, int depth, Transport transport = Transport::two_sided) {
  testing::Group group({c.ranks});
  if (!group.member()) return;
  testing::InPlace<T> run(Comm(group.raw()), c.schedule(), depth, transport);
  run.fill(0, [&](Int i, Int j) {
    return counts(c.triangle, i, j) ? testing::factored_element<T>(i, j) : T(testing::untouched(i, j));
  });
  EXPECT_EQ(run.run(T(1)).info, 0);
  run.for_each(0, [&](Int i, Int j, T found) {
    const T L = testing::factor_element<T>(std::max(i, j), std::min(i, j));
    const bool right = counts(c.triangle, i, j) ? found == (c.triangle == Uplo::lower ? L : conjugated(L))
                                                : testing::is_untouched(found, i, j);
    EXPECT_TRUE(right) << i << ' ' << j << ": " << found;
  });
}

void expect_factors(const std::vector<CholeskyCase>& cases) {
  std::size_t number = 0;
  for (const CholeskyCase& c : cases)
    for (int depth : {0, 1, 2}) {
      if (!testing::in_sample(number++)) continue;
      SCOPED_TRACE(::testing::Message() << c.spelling() << " n=" << c.n << ' ' << name_of(c.triangle));
      expect_factors<double>(c, depth);
      expect_factors<std::complex<double>>(c, depth);
    }
}

TEST(Cholesky, FactorsInPlaceAsCountedAndLeavesTheOtherTriangle) { expect_factors(testing::cholesky_cases()); }

TEST(Cholesky, FactorsTriangleBlocksAsCounted) { expect_factors(testing::triangle_block_cases()); }

TEST(Cholesky, FactorsFatPanelsAsCounted) { expect_factors(testing::fat_panel_cases()); }

TEST(Cholesky, FactorsWithOneSidedTransport) {
  for (const CholeskyCase& c : {CholeskyCase{23, "2x2", 3, Uplo::lower, 4},
                                {29, "2x3", 2, Uplo::upper, 6},
                                {31, "2x2x2", 2, Uplo::lower, 8},
                                {41, "3x2x2", 2, Uplo::upper, 12},
                                {53, "7", 2, Uplo::lower, 7, "triangle"},
                                {61, "2x2x2", 2, Uplo::lower, 8, "cholesky25d", 4}}) {
    SCOPED_TRACE(c.spelling());
    for (int depth : {1, 2}) expect_factors<double>(c, depth, Transport::one_sided);
  }
}

TEST(Cholesky, AllRanksKnowWhichMinorIsNotPositive) {
  for (const CholeskyCase& c : {CholeskyCase{23, "2x3", 3, Uplo::lower, 6},
                                {23, "2x2x2", 3, Uplo::upper, 8},
                                {23, "7", 2, Uplo::lower, 7, "triangle"},
                                {23, "2x2x2", 2, Uplo::upper, 8, "cholesky25d", 3}}) {
    testing::Group group({c.ranks});
    if (!group.member()) continue;
    for (Int wrong : {0, 10, 22})
      for (double pivot : {-1.0, 0.0, std::numeric_limits<double>::quiet_NaN()}) {
        testing::InPlace<double> run(Comm(group.raw()), c.schedule(), 1);
        run.fill(0, [&](Int i, Int j) {
          return i == wrong && j == wrong ? pivot : testing::factored_element<double>(i, j);
        });
        EXPECT_EQ(run.run(1).info, wrong + 1) << pivot;
        run.for_each(0, [&](Int i, Int j, double found) {
          if (!counts(c.triangle, i, j) || std::max(i, j) >= wrong) return;  // what comes before it is right
          EXPECT_EQ(found, testing::factor_element<double>(std::max(i, j), std::min(i, j))) << i << ' ' << j;
        });
      }
  }
}

// An element that several ranks hold is factored by one of them, and all others get it from there: whatever they had.
TEST(Cholesky, CopiesInTriangleBlocksComeFromTheRankWhoseTurnItIs) {
  for (Int ranks : {4, 7, 12})
    for (Uplo triangle : {Uplo::lower, Uplo::upper}) {
      const Int n = 61, b = 2;
      testing::Group group({ranks});
      if (!group.member()) continue;
      const Comm comm(group.raw());
      const TriangleBlocks blocks = triangle_blocks(ranks);
      const auto from = [&](Int i, Int j) {
        const Int row = std::max(i, j) / b, col = std::min(i, j) / b;
        return blocks.turn(row % blocks.classes(), col % blocks.classes(), col / blocks.classes());
      };
      const FactoriseProblem p{.n = n, .triangle = triangle, .ranks = ranks};
      testing::InPlace<double> run(comm, make_algorithm(p, "triangle " + std::to_string(ranks) + " b=2"), 1);
      run.fill(0, [&](Int i, Int j) {
        return testing::factored_element<double>(i, j) + (from(i, j) == comm.rank() ? 0 : 1000);
      });
      EXPECT_EQ(run.run(1).info, 0);
      run.for_each(0, [&](Int i, Int j, double found) {
        if (!counts(triangle, i, j)) return;
        EXPECT_EQ(found, testing::factor_element<double>(std::max(i, j), std::min(i, j))) << i << ' ' << j;
      });
    }
}

TEST(Cholesky, FactorsMatricesInTheirCallersLayouts) {
  const Int n = 29;
  testing::Group group({8});
  if (!group.member()) return;
  for (Uplo triangle : {Uplo::lower, Uplo::upper})
    for (const Layout& held : {Layout::block_cyclic(n, n, {3, 3, 2, 4}), Layout::block_cyclic(n, n, {3, 3, 4, 2}),
                               Layout::row_blocks(n, n, 8), Layout::on_one_rank(n, n)})
      for (const char* spelling : {"cholesky 2x4 b=3", "cholesky 2x2x2 b=3", "triangle 7 b=3", "triangle 4 b=2",
                                   "cholesky25d 2x2x2 b=3 f=3"}) {
        FactoriseProblem p;
        p.n = n, p.triangle = triangle, p.ranks = 8, p.a = held;
        testing::InPlace<double> run(Comm(group.raw()), make_algorithm(p, spelling), 1);
        run.fill(0, [&](Int i, Int j) {
          return counts(triangle, i, j) ? testing::factored_element<double>(i, j) : testing::untouched(i, j);
        });
        EXPECT_EQ(run.run(1).info, 0);
        run.for_each(0, [&](Int i, Int j, double found) {
          const bool right = counts(triangle, i, j)
                                 ? found == testing::factor_element<double>(std::max(i, j), std::min(i, j))
                                 : testing::is_untouched(found, i, j);
          EXPECT_TRUE(right) << i << ' ' << j << ": " << found;
        });
      }
}

}  // namespace
}  // namespace cairn
