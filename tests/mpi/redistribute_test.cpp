// Redistribution over MPI: every element right, the least words, BLAS's rules, and clear errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "distributed.hpp"

namespace cairn {
namespace {

using testing::element;
using testing::filled;
using testing::layouts;
using testing::op_element;

template <class T>
void expect_redistributed(const DistMatrix<T>& B, Op op, T alpha, T beta) {
  B.for_each([&](Int i, Int j, T b) {
    ASSERT_EQ(b, alpha * op_element<T>(op, i, j, 1) + beta * element<T>(i, j, 2)) << "B(" << i << ", " << j << ")";
  });
}

// With `pad` more elements between the starts of neighbouring lines, none of which may change.
template <class T>
struct Padded {
  Padded(const Layout& l, int rank, int seed, Int pad) : B(DistMatrix<T>::own(l, rank)) {
    if (!l.blocks) {
      const Int line = l.order == Order::col ? B.local().rows : B.local().cols;
      const Int lines = l.order == Order::col ? B.local().cols : B.local().rows;
      ld = line + pad, used = line, count = lines;
      memory.assign(static_cast<std::size_t>(ld * lines + 1), T(77));
      B = DistMatrix<T>::borrow(l, rank, memory.data(), ld * lines + 1, ld);
    }
    testing::fill(B, seed);
  }
  void expect_gaps_intact() const {
    for (Int at = 0; at < static_cast<Int>(memory.size()); ++at)
      if (at >= ld * count || at % ld >= used) {
        ASSERT_EQ(memory[static_cast<std::size_t>(at)], T(77));
      }
  }
  std::vector<T> memory;
  Int ld = 1, used = 0, count = 0;
  DistMatrix<T> B;
};

template <class T>
void redistribute_all(const Comm& comm, Int m, Int n, std::size_t stride) {
  const std::vector<Layout> to = layouts(m, n, comm.size());
  std::size_t turn = static_cast<std::size_t>(m + n);
  for (Op op : {Op::none, Op::transpose, Op::adjoint}) {
    const std::vector<Layout> from = op == Op::none ? to : layouts(n, m, comm.size());
    for (std::size_t b = turn % stride; b < to.size(); b += stride) {
      const std::size_t a = (b + ++turn) % from.size();
      const T alpha = turn % 3 == 0 ? T(1) : T(2), beta = turn % 4 == 0 ? T(-1) : turn % 4 == 1 ? T(1) : T(0);
      const Padded<T> A(from[a], comm.rank(), 1, static_cast<Int>(turn % 2));
      const Padded<T> B(to[b], comm.rank(), 2, static_cast<Int>(turn % 3));
      const RunReport report = redistribute(comm, op, alpha, A.B, beta, B.B);
      expect_redistributed(B.B, op, alpha, beta);
      B.expect_gaps_intact();
      const Count count = count_redistribution(op, from[a], to[b], comm.size(), comm.rank());
      testing::expect_counted(report, {count.received, count.wire_words, count.messages, 0, 0, 0});
      EXPECT_EQ(report.received, testing::lacking(op == Op::none ? from[a] : from[a].transposed(), to[b], comm.rank()));
    }
  }
}

TEST(Redistribute, EveryElementArrivesOnceBetweenAnyTwoLayouts) {
  testing::in_groups([](const Comm& comm) {
    for (auto [m, n] : {std::pair<Int, Int>{0, 5}, {1, 1}, {13, 7}, {1, 31}, {37, 1}, {64, 48}})
      redistribute_all<double>(comm, m, n, 2);
  });
}

TEST(Redistribute, EveryElementType) {
  const Comm world = Comm::world();
  redistribute_all<float>(world, 19, 23, 3);
  redistribute_all<std::complex<float>>(world, 19, 23, 3);
  redistribute_all<std::complex<double>>(world, 41, 40, 3);
}

TEST(Redistribute, BetaZeroNeverReadsBAndAlphaZeroNeverReadsA) {
  const Comm world = Comm::world();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Layout a = Layout::block_cyclic(33, 21, {2, 3, 4, 4}), b = Layout::row_blocks(33, 21, 16, Order::row);
  const auto A = filled<double>(a, world.rank(), 1), B = DistMatrix<double>::own(b, world.rank());
  const auto spoil = [&](const DistMatrix<double>& X) { X.for_each([&](Int, Int, double& x) { x = nan; }); };
  spoil(B);
  redistribute(world, Op::none, 2.0, A, 0.0, B);
  expect_redistributed(B, Op::none, 2.0, 0.0);
  testing::fill(B, 2);
  const auto nothing = DistMatrix<double>::borrow(a, world.rank(), nullptr, 0);
  EXPECT_EQ(redistribute(world, Op::none, 0.0, nothing, 3.0, B).messages, 0);
  expect_redistributed(B, Op::none, 0.0, 3.0);
  spoil(B);
  redistribute(world, Op::none, 0.0, nothing, 0.0, B);
  B.for_each([](Int, Int, double x) { ASSERT_EQ(x, 0); });
  spoil(A);
  testing::fill(B, 2);
  redistribute(world, Op::none, 1.0, A, 1.0, B);
  B.for_each([](Int, Int, double x) { ASSERT_TRUE(std::isnan(x)); });
}

TEST(Redistribute, MadeOnceRunsManyTimesWithOtherLeadingDimensions) {
  const Comm world = Comm::world();
  const Layout a = Layout::block_cyclic(40, 30, {4, 4, 4, 4}), b = Layout::col_blocks(30, 40, 16);
  Redistribution<double> ready(world, Op::transpose, a, b);
  const Count least = count_redistribution(Op::transpose, a, b, 16, world.rank());
  EXPECT_EQ(ready.count(), least);
  EXPECT_EQ(least.received, testing::lacking(a.transposed(), b, world.rank()));
  for (Int pad : {0, 0, 3, 1}) {
    const Padded<double> A(a, world.rank(), 1, pad), B(b, world.rank(), 2, 2 * pad);
    EXPECT_EQ(ready.run(3, A.B, -1, B.B).received, least.received);
    expect_redistributed(B.B, Op::transpose, 3.0, -1.0);
  }
}

TEST(Redistribute, NothingIsSentWhereTheOwnersAreTheSame) {
  const Comm world = Comm::world();
  Layout a = Layout::block_cyclic(50, 60, {4, 4, 4, 4}), b = a;
  b.order = Order::row;
  for (const Layout& to : {a, b}) {
    const auto A = filled<double>(a, world.rank(), 1), B = DistMatrix<double>::own(to, world.rank());
    EXPECT_EQ(redistribute(world, A, B).messages, 0);
    expect_redistributed(B, Op::none, 1.0, 0.0);
  }
  const auto everywhere = filled<double>(testing::on_every_rank(50, 60, 16), world.rank(), 1);
  const auto B = DistMatrix<double>::own(b, world.rank());
  EXPECT_EQ(redistribute(world, everywhere, B).messages, 0);
  expect_redistributed(B, Op::none, 1.0, 0.0);
}

TEST(Redistribute, RelabelledRanksReceiveLess) {
  const Comm world = Comm::world();
  const Layout a = Layout::block_cyclic(50, 60, {4, 4, 4, 4}),
               wanted = Layout::block_cyclic(50, 60, {4, 4, 4, 4, 1, 2});
  const Layout there = relabelled(Op::none, a, wanted, world.size());
  const auto A = filled<double>(a, world.rank(), 1), B = DistMatrix<double>::own(there, world.rank());
  EXPECT_EQ(redistribute(world, A, B).messages, 0);
  EXPECT_GT(B.words(), 0);
  expect_redistributed(B, Op::none, 1.0, 0.0);
}

TEST(Redistribute, MultiplicationsTakeMatricesOnPlacedGrids) {
  const Comm world = Comm::world();
  for (const char* transport : {"two-sided", "one-sided", "node-shared"})
    for (unsigned which : {0, 1, 3}) {
      GemmProblem p = testing::problem(37, 29, 23, world.size());
      p.a = testing::placed(37, 23, world.size(), which), p.b = testing::placed(23, 29, world.size(), which + 1);
      p.c = testing::placed(37, 29, world.size(), which);
      const auto A = filled<double>(*p.a, world.rank(), 1), B = filled<double>(*p.b, world.rank(), 2),
                 C = filled<double>(*p.c, world.rank(), 3);
      Options options;
      options.transport = transport, options.verify_counts = true;
      cairn::gemm(world, Op::none, Op::none, 2.0, A, B, -1.0, C, options);
      testing::expect_product(C, p, 2.0, -1.0);
    }
}

TEST(Redistribute, GridsThatDifferOnlyInTheirRanksAreOtherProblems) {
  const Comm world = Comm::world();
  std::vector<Int> places(static_cast<std::size_t>(world.size()));
  std::iota(places.begin(), places.end(), Int{0});
  for (int turn = 0; turn < 3; ++turn, std::rotate(places.begin(), places.begin() + 1, places.end())) {
    GemmProblem p = testing::problem(20, 20, 20, world.size());
    Layout l = Layout::block_cyclic(20, 20, {2, 3, world.size(), 1});
    l.grid = l.grid.placed(places);
    p.a = p.b = p.c = l;
    const auto A = filled<double>(l, world.rank(), 1), B = filled<double>(l, world.rank(), 2),
               C = filled<double>(l, world.rank(), 3);
    cairn::gemm(world, Op::none, Op::none, 2.0, A, B, -1.0, C);
    testing::expect_product(C, p, 2.0, -1.0);
  }
}

template <class F>
void expect_error(F f, const std::string& part) {
  testing::expect_refused_alike(Comm::world(), f, part);
}

TEST(Redistribute, BadArgumentsAreRefusedOnEveryRank) {
  const Comm world = Comm::world();
  const int me = world.rank();
  const Layout a = Layout::block_cyclic(40, 30, {4, 4, 4, 4}), b = Layout::col_blocks(30, 40, 16);
  const auto A = DistMatrix<double>::own(a, me), B = DistMatrix<double>::own(b, me);
  const auto none = DistMatrix<double>::borrow(b, me, nullptr, B.words());
  const auto narrow = DistMatrix<double>::borrow(a, me, A.data(), A.words(), 1);
  expect_error([&] { redistribute(world, A, B); }, "B: 30x40, expected 40x30, the size of op(A)");
  expect_error([&] { redistribute(world, Op::transpose, 1.0, A, 0.0, me == 5 ? none : B); }, "B: null");
  expect_error([&] { redistribute(world, Op::transpose, 1.0, me == 3 ? narrow : A, 0.0, B); },
               "A: leading dimension 1, expected at least");
  const auto beyond_memory = DistMatrix<double>::borrow(a, me, A.data(), A.words(), Int{1} << 61);
  expect_error([&] { redistribute(world, Op::transpose, 1.0, me == 3 ? beyond_memory : A, 0.0, B); },
               "A: leading dimension 2305843009213693952, expected less");
  expect_error([&] { redistribute(world, Op::transpose, 1.0, A, me == 1 ? 1.0 : 0.0, B); }, "arguments: ");
  expect_error([&] { redistribute(world, me == 2 ? Op::adjoint : Op::transpose, 1.0, A, 0.0, B); }, "arguments: ");
  const auto wide = DistMatrix<double>::own(Layout::row_blocks(40, 30, 17), me);
  expect_error([&] { redistribute(world, wide, A); }, "A: in a layout on 17 ranks, expected at most");
  Layout twice = Layout::row_blocks(40, 30, 16);
  twice.rows.cuts = {Cut::span(Affine::along(0), 16, 2)};
  expect_error([&] { redistribute(world, DistMatrix<double>::own(twice, me), A); }, "A: elements that nobody holds");
  Layout halves = Layout::row_blocks(32, 30, 16);  // in the words of which the missing half is made up for
  halves.rows.cuts = {Cut::numbered(2 * Affine::along(0), 16)};
  const auto on_one = DistMatrix<double>::own(Layout::on_one_rank(32, 30), me);
  expect_error([&] { redistribute(world, DistMatrix<double>::own(halves, me), on_one); },
               "A: elements that nobody holds");
  constexpr Int huge = Int{1} << 31U;
  const auto square = DistMatrix<double>::borrow(Layout::on_one_rank(huge, huge), me, nullptr, 0);
  expect_error([&] { redistribute(world, square, square); },
               "A: 2147483648x2147483648, more words than a 64-bit integer");
  Layout later = b;
  later.cols.extent = {1, b.n() + 1};
  expect_error([&] { Redistribution<double>(world, Op::transpose, a, later); },
               "layout of B: columns begin at 1, expected 0");
  for (Int rank : {-1, 16})
    expect_error([&] { count_redistribution(Op::transpose, a, b, 16, rank); }, "expected one of 0..15");
  EXPECT_THROW(Layout::on_one_rank(2 * huge, 2 * huge), ArgumentError);  // of which it would count none
  Redistribution<double> ready(world, Op::transpose, a, b);
  expect_error([&] { ready.run(1, B, 0, A); }, "A: another layout than the one prepared for");
  expect_error([&] { ready.run(me == 0 ? 1 : 2, A, 0, B); }, "alpha and beta: ");
  ready.run(1, A, 0, B);  // and it still works
}

}  // namespace
}  // namespace cairn
