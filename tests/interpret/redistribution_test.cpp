// A change of layout as a schedule: right on virtual ranks, and no word more than must be moved.
#include "algorithms/redistribution.hpp"

#include <gtest/gtest.h>

#include <ctime>

#include "algorithms/registry.hpp"
#include "cairn/error.hpp"
#include "cases.hpp"
#include "interpret/check.hpp"
#include "interpret/count.hpp"
#include "layouts.hpp"
#include "schedule/text.hpp"
#include "schedule/transfers.hpp"

namespace cairn {
namespace {

using testing::integers;
using testing::layouts;

constexpr testing::Shape sizes[] = {{0, 5, 0}, {1, 1, 0}, {13, 7, 0}, {1, 17, 0}, {12, 12, 0}};

// f(op, layout of A, layout of B, ranks) for neighbours in the list of all layouts, each with several others.
template <class F>
void for_each_pair(F f) {
  for (auto [m, n, k] : sizes)
    for (Int ranks : {1, 3, 4, 16}) {
      const std::vector<Layout> to = layouts(m, n, ranks);
      for (Op op : {Op::none, Op::transpose}) {
        const std::vector<Layout> from = op == Op::none ? to : layouts(n, m, ranks);
        for (std::size_t b = 0; b < to.size(); ++b)
          for (std::size_t step : {0, 1, 9}) f(op, from[(b + step) % from.size()], to[b], ranks);
      }
    }
}

TEST(Redistribution, IsRightOnVirtualRanks) {
  for_each_pair([](Op op, const Layout& a, const Layout& b, Int ranks) {
    const Schedule s = redistribution(op, a, b, ranks);
    ASSERT_NO_THROW(check(s)) << print(s);
    const Dense A = integers(b.m(), b.n(), 1), B = integers(b.m(), b.n(), 2);
    Dense want(b.m(), b.n());
    for (std::size_t e = 0; e < want.x.size(); ++e) want.x[e] = 3 * A.x[e] - 2 * B.x[e];
    ASSERT_EQ(reference(s, A, B, 3, -2).x, want.x) << print(s);
  });
}

TEST(Redistribution, MovesWhatARankNeedsAndDoesNotHold) {
  for_each_pair([](Op op, const Layout& a, const Layout& b, Int ranks) {
    const Schedule s = redistribution(op, a, b, ranks);
    for (Int r = 0; r < ranks; ++r) {
      const Count n = count(s, s, r);
      const Int least = testing::lacking(op == Op::none ? a : a.transposed(), b, r);
      ASSERT_EQ(n.wire_words, least) << print(s) << "rank " << r;
      ASSERT_EQ(n.received, least);
      ASSERT_LE(n.messages, std::min(least, ranks - 1));
    }
  });
}

TEST(Redistribution, IsPrintedAndParsed) {
  const Layout a = Layout::row_blocks(6, 8, 4), b = Layout::block_cyclic(8, 6, {2, 3, 2, 2});
  for (Op op : {Op::transpose, Op::adjoint}) {
    const Schedule s = redistribution(op, a, b, 4);
    EXPECT_TRUE(parse_schedule(print(s)) == s) << print(s);
    const std::string step =
        op == Op::adjoint ? "beta %1 + redistribute alpha conj %0" : "beta %1 + redistribute alpha %0";
    EXPECT_NE(print(s).find(step), std::string::npos) << print(s);
  }
}

// In and out, each time what is not there yet of the triangle.
TEST(Redistribution, OfATriangleThatIsFactorisedTheOtherOneStays) {
  for (Uplo triangle : {Uplo::lower, Uplo::upper}) {
    FactoriseProblem p{.n = 60, .triangle = triangle, .ranks = 4};
    const std::string spelling = "cholesky 2x2 b=4";
    const Layout own = make_algorithm(p, spelling).layout(0), held = Layout::row_blocks(60, 60, 4);
    const Schedule there = make_algorithm(p, spelling);
    p.a = held;
    const Schedule s = make_algorithm(p, spelling);
    ASSERT_NO_THROW(check(s));
    for (Int r = 0; r < 4; ++r) {
      Int moved = 0;
      for (Int i = 0; i < 60; ++i)
        for (Int j = 0; j < 60; ++j)
          moved += counts(triangle, i, j) && testing::holds(own, r, i, j) != testing::holds(held, r, i, j);
      EXPECT_EQ(count(s, s, r).received - count(there, there, r).received, moved) << name_of(triangle) << " " << r;
    }
  }
}

TEST(Redistribution, RanksAreWhereTheGridHasThem) {
  Layout b = Layout::block_cyclic(8, 6, {2, 3, 2, 2});
  const Layout a = b;
  b.grid = b.grid.placed({5, 0, 3, 1});
  EXPECT_EQ(b.grid.ranks(), 6);
  EXPECT_EQ(b.grid.index(3, 0), 1);
  EXPECT_EQ(b.grid.with(3, 1, 1), 1);
  EXPECT_FALSE(b.grid.has(2));
  EXPECT_EQ(b.words(2), 0);
  EXPECT_EQ(b.patches(5)[0].rows, a.patches(0)[0].rows);
  const Schedule s = redistribution(Op::none, a, b, 6);
  EXPECT_TRUE(parse_schedule(print(s)) == s) << print(s);
  EXPECT_THROW(a.grid.placed({0, 1, 2}), ArgumentError);
  EXPECT_THROW(a.grid.placed({0, 1, 2, 2}), ArgumentError);
}

TEST(Redistribution, ManySmallBlocksAreListedAtOnce) {
  const Int n = 8192;
  const Layout a = Layout::block_cyclic(n, n, {1, 1, 2, 2}), b = Layout::block_cyclic(n, n, {3, 5, 1, 4});
  const std::clock_t start = std::clock();
  const Schedule s = redistribution(Op::none, a, b, 4);
  EXPECT_EQ(count(s, s, 1).wire_words, b.words(1) - transfer(a, b, 1, 1).words());
  EXPECT_LT(std::clock() - start, CLOCKS_PER_SEC / 4);
}

}  // namespace
}  // namespace cairn
