// Solutions with triangular matrices over MPI.
#include <gtest/gtest.h>

#include "in_place.hpp"
#include "triangular.hpp"

namespace cairn {
namespace {

using testing::SolveCase;

template <class T>
void expect_solves(const SolveCase& c, int depth, Transport transport = Transport::two_sided) {
  const SolveProblem& p = c.problem;
  testing::Group group({p.ranks});
  if (!group.member()) return;
  testing::InPlace<T> run(Comm(group.raw()), c.schedule(), depth, transport);
  run.fill(0, [&](Int i, Int j) { return testing::triangle_element<T>(p, i, j); });
  run.fill(1, [&](Int i, Int j) { return testing::right_hand_side<T>(p, i, j); });
  run.run(T(testing::solve_alpha));
  run.for_each(1,
               [&](Int i, Int j, T found) { EXPECT_EQ(found, testing::solution_element<T>(i, j)) << i << ' ' << j; });
}

TEST(Trsm, SolvesInPlaceAsCountedAndReadsOneTriangle) {
  std::size_t number = 0;
  for (const SolveCase& c : testing::solve_cases()) {
    if (!testing::in_sample(number++)) continue;
    SCOPED_TRACE(c.spelling + ' ' + spelled(c.schedule().problem));
    expect_solves<double>(c, 0);
    if (testing::everything() || number % 7 < 4) expect_solves<std::complex<double>>(c, 1);
  }
}

TEST(Trsm, SolvesWithOneSidedTransport) {
  std::size_t number = 0;
  for (const SolveCase& c : testing::solve_cases()) {
    if (++number % 7 != 0 || !testing::in_sample(number / 7)) continue;
    SCOPED_TRACE(c.spelling + ' ' + spelled(c.schedule().problem));
    expect_solves<double>(c, 1, Transport::one_sided);
    expect_solves<std::complex<double>>(c, 4, Transport::one_sided);
  }
}

TEST(Trsm, SolvesInItsCallersLayouts) {
  for (Side side : {Side::left, Side::right})
    for (Op op : {Op::none, Op::transpose})
      for (const char* spelling : {"trsm 2x4 b=3", "trsm 2x2x2 b=3", "trsm_lazy 2x4 b=3", "trsm25d 1x4x2 b=3"}) {
        SolveCase c{{}, spelling, 0};
        SolveProblem& p = c.problem;
        p.m = 20, p.n = 31, p.side = side, p.op = op, p.ranks = 8;
        p.a = Layout::block_cyclic(p.order(), p.order(), {3, 3, 2, 4});
        p.b = Layout::block_cyclic(p.m, p.n, {3, 3, 2, 4});
        SCOPED_TRACE(c.spelling + ' ' + spelled(c.schedule().problem));
        expect_solves<double>(c, 1);
        expect_solves<double>(c, 4, Transport::one_sided);
      }
}

}  // namespace
}  // namespace cairn
