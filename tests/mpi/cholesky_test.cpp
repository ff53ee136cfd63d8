// Triangles and factorisations over MPI.
#include "cholesky.hpp"

#include <gtest/gtest.h>

#include "distributed.hpp"
#include "interpret/count.hpp"
#include "runtime/executor.hpp"
#include "runtime/nodes.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {
namespace {

using testing::CholeskyCase;

// The caller's matrix by `element`, where it does not count 777; factored in place.
template <class T, class Element>
RunReport factor(const Comm& comm, const CholeskyCase& c, int look_ahead_depth, std::vector<T>& A, Element element) {
  const Schedule collective = testing::cholesky(c, comm.size());
  const Schedule wire = expand_collectives(look_ahead(collective, look_ahead_depth));
  const Layout& l = wire.layout(wire.callers()[0]);
  const IndexSet rows = l.rows_at(comm.rank()), cols = l.cols_at(comm.rank());
  A.clear();
  for (Range p : cols.pieces())
    for (Int j = p.lo; j < p.hi; ++j)
      for (Range q : rows.pieces())
        for (Int i = q.lo; i < q.hi; ++i) A.push_back(counts(c.triangle, i, j) ? element(i, j) : T(777));
  const Program program = compile(wire, comm.rank());
  std::vector<T*> arrays(wire.slots.size(), nullptr);
  arrays[static_cast<std::size_t>(wire.callers()[0])] = A.data();
  std::vector<T> arena(static_cast<std::size_t>(program.placement.words) + 1);
  Executor<T> executor(
      program, std::make_unique<TwoSided>(comm, nodes_of(comm, 0), program, scalar_type_of<T>, Datatypes::most));
  const RunReport report = executor.run(T(1), T(0), arrays, arena.data(), nullptr);
  testing::expect_counted(report, count(collective, wire, comm.rank()));
  return report;
}

template <class T>
void expect_factors(const CholeskyCase& c, int depth) {
  testing::Group group({c.pr * c.pc});
  if (!group.member()) return;
  const Comm comm(group.raw());
  std::vector<T> A;
  const RunReport report = factor<T>(comm, c, depth, A, testing::factored_element<T>);
  EXPECT_EQ(report.info, 0);
  const Layout l = testing::cholesky(c, comm.size()).slots[0].layout;
  const IndexSet rows = l.rows_at(comm.rank()), cols = l.cols_at(comm.rank());
  std::size_t at = 0;
  for (Range p : cols.pieces())
    for (Int j = p.lo; j < p.hi; ++j)
      for (Range q : rows.pieces())
        for (Int i = q.lo; i < q.hi; ++i, ++at) {
          T expected = 777;
          if (counts(c.triangle, i, j)) {
            expected = testing::factor_element<T>(std::max(i, j), std::min(i, j));
            if constexpr (std::is_same_v<T, std::complex<double>>)
              if (c.triangle == Uplo::upper) expected = std::conj(expected);
          }
          ASSERT_EQ(A[at], expected) << i << ' ' << j;
        }
}

TEST(Cholesky, FactorsInPlaceAsCountedAndLeavesTheOtherTriangle) {
  for (const CholeskyCase& c : testing::cholesky_cases)
    for (int depth : {0, 1}) {
      SCOPED_TRACE(::testing::Message() << "n = " << c.n << " b = " << c.b << " " << c.pr << "x" << c.pc);
      expect_factors<double>(c, depth);
      expect_factors<std::complex<double>>(c, depth);
    }
}

TEST(Cholesky, AllRanksKnowWhichMinorIsNotPositive) {
  const CholeskyCase c{23, 3, 2, 3, Uplo::lower};
  testing::Group group({6});
  if (!group.member()) return;
  const Comm comm(group.raw());
  for (Int wrong : {0, 10, 22}) {
    std::vector<double> A;
    const RunReport report = factor<double>(comm, c, 1, A, [&](Int i, Int j) {
      return i == wrong && j == wrong ? -1.0 : testing::factored_element<double>(i, j);
    });
    EXPECT_EQ(report.info, wrong + 1);
  }
}

}  // namespace
}  // namespace cairn
