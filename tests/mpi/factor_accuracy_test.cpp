// Factorisations and solves of matrices that are hard to compute with, beside the error bounds that LAPACK's keep.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "base/scalars.hpp"
#include "distributed.hpp"
#include "triangular.hpp"

namespace cairn {
namespace {

// All at the same time: which sizes there are matters less than what is computed.
template <class F>
void in_groups(const std::vector<Int>& sizes, F f) {
  const testing::Group group(sizes);
  if (group.member()) f(Comm(group.raw()));
}
const std::vector<Int> some{6, 4, 3, 2, 1};

struct Hard {
  const char* name;
  std::function<double(Int, Int)> element;
};

// Symmetric and positive definite; condition numbers from 10¹⁰ on.
std::vector<Hard> hard_matrices(Int n) {
  const auto kernel = [n](Int i, Int j) {
    const double apart = 8 * static_cast<double>(i - j) / static_cast<double>(n);
    return std::exp(-apart * apart) + (i == j ? 1e-11 : 0);
  };
  const auto graded = [](Int i, Int j) {
    return std::pow(10.0, -static_cast<double>(i + j) / 5) * std::pow(0.5, static_cast<double>(std::abs(i - j)));
  };
  const auto hilbert = [](Int i, Int j) { return 1 / static_cast<double>(i + j + 1) + (i == j ? 1e-11 : 0); };
  const auto growing = [](Int i, Int j) { return static_cast<double>(std::min(i, j) + 1) * (i == j ? 1 + 1e-12 : 1); };
  return {{"kernel", kernel}, {"graded", graded}, {"Hilbert", hilbert}, {"growing", growing}};
}

// With the imaginary part of a Hermitian matrix, small enough to leave it positive definite.
template <class T>
T element_of(const Hard& hard, Int i, Int j) {
  const double re = hard.element(i, j);
  const double im =
      i == j ? 0 : 1e-13 * static_cast<double>(i < j ? 1 : -1) * std::sqrt(hard.element(i, i) * hard.element(j, j));
  return testing::scalar<T>(re, im);
}

template <class T>
using Wide = std::conditional_t<std::is_floating_point_v<T>, long double, std::complex<long double>>;

// A matrix on all ranks.
template <class T>
std::vector<T> whole(const Comm& comm, const DistMatrix<T>& X) {
  const Layout& l = X.layout();
  const auto there = DistMatrix<T>::own(Layout::on_one_rank(l.m(), l.n()), comm.rank());
  redistribute(comm, X, there);
  std::vector<T> all(static_cast<std::size_t>(l.m() * l.n()));
  there.for_each([&](Int i, Int j, T& x) { all[static_cast<std::size_t>(i + j * l.m())] = x; });
  MPI_Bcast(all.data(), static_cast<int>(all.size() * sizeof(T)), MPI_BYTE, 0, comm.raw());
  return all;
}

template <class T>
void factors_within_the_bound(Int n, const std::vector<std::string>& spellings, const std::vector<Int>& groups = some) {
  using Real = decltype(std::abs(T{}));
  const double eps = std::numeric_limits<Real>::epsilon();
  in_groups(groups, [&](const Comm& comm) {
    for (const Hard& hard : hard_matrices(n))
      for (const std::string& spelling : spellings)
        for (Uplo triangle : {Uplo::lower, Uplo::upper}) {
          const auto A = DistMatrix<T>::own(Layout::row_blocks(n, n, comm.size()), comm.rank());
          A.for_each([&](Int i, Int j, T& x) { x = element_of<T>(hard, i, j); });
          Options o;
          o.algorithm = fmt::format(fmt::runtime(spelling), comm.size());
          ASSERT_EQ(cholesky(comm, triangle, A, o).info, 0) << hard.name;
          const std::vector<T> F = whole(comm, A);
          const auto L = [&](Int i, Int k) {
            const T x = triangle == Uplo::lower ? F[static_cast<std::size_t>(i + k * n)]
                                                : conjugated(F[static_cast<std::size_t>(k + i * n)]);
            return Wide<T>(x);
          };
          double worst = 0;
          for (Int j = comm.rank(); j < n; j += comm.size())
            for (Int i = j; i < n; ++i) {
              Wide<T> rest(element_of<T>(hard, i, j));
              for (Int k = 0; k <= j; ++k) rest -= L(i, k) * conjugated(L(j, k));
              const double size = std::sqrt(hard.element(i, i) * hard.element(j, j));
              worst = std::max(worst, static_cast<double>(std::abs(rest)) / size);
            }
          // Componentwise, with the roundings of complex products [higham-2002 Theorem 10.5, Lemma 3.5].
          const double products = std::is_floating_point_v<T> ? 1 : 2 * std::sqrt(2.0);
          EXPECT_LT(worst, products * static_cast<double>(n + 1) * eps) << hard.name << ' ' << o.algorithm;
        }
  });
}

TEST(FactorAccuracy, FactorsOfHardMatricesAreWithinTheComponentwiseBound) {
  factors_within_the_bound<double>(70, {"", "cholesky {}x1 b=8", "cholesky 1x{} b=5", "cholesky 1x1x{} b=8"});
  factors_within_the_bound<std::complex<double>>(33, {"", "cholesky {}x1 b=4"});
}

// Copies on several ranks are rounded differently while they are updated: they must not be factors of different
// matrices.
TEST(FactorAccuracy, CopiesInTriangleBlocksAreOfOneFactor) {
  factors_within_the_bound<double>(70, {"triangle {} b=2", "triangle {} b=5"}, {7, 4, 3});
  factors_within_the_bound<double>(70, {"triangle {} b=2"}, {13});
  factors_within_the_bound<double>(70, {"triangle 4x3 b=2", "triangle 6x2 b=5"}, {12});
}

TEST(FactorAccuracy, CopiesInTriangleBlocksAgreeBitByBit) {
  constexpr Int n = 70;
  const std::map<Int, const char*> algorithms{{12, "4x3"}, {8, "4x2"}, {7, "7"}, {6, "3x2"}, {4, "4"}, {3, "3"}};
  const auto agree = [&](const Comm& comm) {
    for (const Hard& hard : hard_matrices(n))
      for (Uplo triangle : {Uplo::lower, Uplo::upper}) {
        Options o;
        o.algorithm = fmt::format("triangle {} b=3", algorithms.at(comm.size()));
        o.machine = "generic";  // with the communicator, and without
        const FactorPlan p = plan(FactoriseProblem{.n = n, .triangle = triangle, .ranks = comm.size()}, o);
        ASSERT_TRUE(p.layout_a().overlapping());
        const auto A = DistMatrix<double>::own(p.layout_a(), comm.rank());
        A.for_each([&](Int i, Int j, double& x) { x = hard.element(i, j); });
        const RunReport report = cholesky(comm, triangle, A, o);
        EXPECT_EQ(report.info, 0) << hard.name;
        EXPECT_EQ(report.received, p.count(comm.rank()).wire_words);
        const std::vector<double> F = whole(comm, A);
        A.for_each([&](Int i, Int j, double& x) {
          if (!counts(triangle, i, j)) return;
          EXPECT_EQ(x, F[static_cast<std::size_t>(i + j * n)]) << hard.name << ' ' << i << ' ' << j;
        });
      }
  };
  in_groups({7, 4, 3}, agree);
  in_groups({8, 6}, agree);
  in_groups({12}, agree);
}

// Solved by substitution the residual is small componentwise; by inverted blocks it is 10⁵ times as large for the
// triangle with ones on the diagonal and -1 beside it.
TEST(FactorAccuracy, SolutionsWithHardTrianglesAreWithinTheComponentwiseBound) {
  constexpr Int n = 128;
  struct Triangle {
    Diag diag;
    std::function<double(Int, Int)> element;
  };
  const std::vector<Triangle> triangles{
      {Diag::unit, [](Int, Int) { return -1.0; }},
      {Diag::stored, [](Int i, Int j) { return i == j ? 0.5 : 1 / static_cast<double>(1 + std::abs(i - j)); }},
      {Diag::stored, [](Int i, Int j) { return i == j ? std::pow(10.0, static_cast<double>(i % 7 - 3)) : 0.1; }}};
  in_groups(some, [&](const Comm& comm) {
    for (const Triangle& t : triangles)
      for (const char* spelling : {"", "trsm {}x1 b=16", "trsm 1x{} b=32"})
        for (Op op : {Op::none, Op::transpose})
          for (Int columns : {1, 9}) {
            const auto right = [](Int i, Int j) { return std::sin(static_cast<double>(1 + i + 3 * j)); };
            const auto A = DistMatrix<double>::own(Layout::row_blocks(n, n, comm.size()), comm.rank());
            const auto B = DistMatrix<double>::own(Layout::row_blocks(n, columns, comm.size()), comm.rank());
            A.for_each([&](Int i, Int j, double& x) { x = i >= j ? t.element(i, j) : std::nan(""); });
            B.for_each([&](Int i, Int j, double& x) { x = right(i, j); });
            Options o;
            o.algorithm = fmt::format(fmt::runtime(spelling), comm.size());
            solve_triangular(comm, Side::left, Uplo::lower, op, t.diag, 1.0, A, B, o);
            const std::vector<double> X = whole(comm, B);
            for (Int j = 0; j < columns; ++j)
              for (Int i = 0; i < n; ++i) {
                long double rest = right(i, j), size = 0;
                for (Int k = 0; k < n; ++k) {
                  const Int row = op == Op::none ? i : k, col = op == Op::none ? k : i;
                  if (row < col) continue;
                  const long double a = row == col && t.diag == Diag::unit ? 1 : t.element(row, col);
                  const long double term = a * static_cast<long double>(X[static_cast<std::size_t>(k + j * n)]);
                  rest -= term, size += std::abs(term);
                }
                EXPECT_LT(std::abs(rest), n * std::numeric_limits<double>::epsilon() * size) << spelling << ' ' << i;
              }
          }
  });
}

// A pivot that is exactly zero is not positive.
TEST(FactorAccuracy, EveryMinorThatIsNotPositiveIsNamed) {
  constexpr Int n = 23;
  in_groups(some, [](const Comm& comm) {
    for (Uplo triangle : {Uplo::lower, Uplo::upper})
      for (Int k = 0; k < n; ++k) {
        const auto A = DistMatrix<double>::own(Layout::block_cyclic(n, n, {3, 3, 1, comm.size()}), comm.rank());
        A.for_each([&](Int i, Int j, double& x) {
          x = testing::factored_element<double>(i, j);
          if (i == k && j == k) x -= std::pow(testing::factor_element<double>(k, k), 2);
        });
        EXPECT_EQ(cholesky(comm, triangle, A).info, k + 1);
      }
  });
}

}  // namespace
}  // namespace cairn
