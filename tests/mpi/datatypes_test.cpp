// Datatypes describe what they say, of any size, and collectives that are not COSMA's run as counted.
#include "runtime/datatypes.hpp"

#include <gtest/gtest.h>

#include "distributed.hpp"
#include "interpret/check.hpp"
#include "interpret/count.hpp"
#include "runtime/executor.hpp"
#include "schedule/builder.hpp"

namespace cairn {
namespace {

Int elements(MPI_Datatype t) {
  MPI_Count bytes = 0;
  MPI_Type_size_x(t, &bytes);
  return static_cast<Int>(bytes) / 8;
}

TEST(Datatypes, LongMessagesAreMadeOfPieces) {
  Datatypes types(ScalarType::float64);
  for (Int count : {Int{999}, Int{1000}, Int{1001}, Int{12345}, Int{2000}})
    EXPECT_EQ(elements(types.contiguous(count, 1000)), count);
  EXPECT_EQ(elements(types.contiguous((Int{1} << 33) + 5)), (Int{1} << 33) + 5);
  const TypedBuffer big = types.whole(Int{5} << 30);
  EXPECT_EQ(big.count, 1);
  EXPECT_EQ(elements(big.type), Int{5} << 30);
}

using Runs = std::vector<cairn::Run>;

// Sends `inner` × `outer` of an array to this rank itself and compares with reading the array in that order.
void expect_in_order(const Runs& inner, const Runs& outer) {
  constexpr Int ld = 7;
  Datatypes types(ScalarType::float64);
  std::vector<double> from(70), to(70, -1), expected;
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<double>(i);
  for (auto o : outer)
    for (Int c = o.start; c < o.start + o.length; ++c)
      for (auto i : inner)
        for (Int r = i.start; r < i.start + i.length; ++r) expected.push_back(static_cast<double>(r + c * ld));
  const TypedBuffer b = types.block(inner, outer, ld);
  MPI_Sendrecv(from.data() + b.offset, b.count, b.type, 0, 1, to.data(), 70, MPI_DOUBLE, 0, 1, MPI_COMM_SELF,
               MPI_STATUS_IGNORE);
  to.resize(expected.size());
  EXPECT_EQ(to, expected);
}

TEST(Datatypes, BlocksOfAnArrayArriveInOrder) {
  expect_in_order({{1, 2}, {4, 2}}, {{0, 1}, {3, 4}});
  expect_in_order({{2, 3}}, {{1, 4}});
  expect_in_order({{0, 7}}, {{2, 3}});
  expect_in_order({{3, 1}}, {{9, 1}});
}

TEST(Datatypes, ContiguousBlocksNeedNoTypeOfTheirOwn) {
  Datatypes types(ScalarType::float64);
  const TypedBuffer b = types.block({{0, 7}}, {{2, 3}}, 7);
  EXPECT_EQ(b.type, MPI_DOUBLE);
  EXPECT_EQ(b.offset, 14);
  EXPECT_EQ(b.count, 21);
}

// A schedule that uses the steps COSMA does not: Shift, Bcast and Reduce, at roots that depend on the coordinate.
//   2.5D Cannon's skeleton on a q × q × c grid: inputs on layer 0, given to all layers, skewed, shifted, reduced.
Schedule cannon(Int q, Int c, Int n, Int ranks, Int home) {
  Builder s("test", n, n, n, Grid({{"i", q}, {"j", q}, {"l", c}}), ranks);
  const auto along = [](int axis) { return Affine::along(axis); };
  Layout on_home = s.layout({0, n}, {Cut::even(s.grid(), 0)}, {0, n}, {Cut::even(s.grid(), 1)}, Order::col);
  on_home.where = {{2, home}};
  Slot A = s.bcast(s.input("A", on_home, on_home, false), 2, Affine(home));
  Slot B = s.bcast(s.input("B", on_home, on_home, false), 2, Affine(home));
  const Slot C = s.output("C", on_home, on_home);
  A = s.shift(A, 1, along(0) + (q / c) * along(2));
  B = s.shift(B, 0, along(1) + (q / c) * along(2));
  Layout everywhere = on_home;
  everywhere.where.clear();
  const Slot sum = s.scratch("C+", everywhere);
  for (Int t = 0; t < q / c; ++t) {
    if (t > 0) A = s.shift(A, 1, 1), B = s.shift(B, 0, 1);
    s.gemm(A, B, sum);
  }
  s.reduce(sum, C, 2, Affine(home));
  return s.done();
}

void run_cannon(const Comm& comm, Int q, Int c, Int n, Int home) {
  const Schedule collective = cannon(q, c, n, comm.size(), home), wire = expand_collectives(look_ahead(collective, 1));
  ASSERT_NO_THROW(check(collective));
  ASSERT_NO_THROW(check(wire));
  const int me = comm.rank();
  const auto A = testing::filled<double>(wire.layout(wire.find("A")), me, 1),
             B = testing::filled<double>(wire.layout(wire.find("B")), me, 2);
  const auto C = testing::filled<double>(wire.layout(wire.find("C")), me, 3);
  const std::vector<Int> dense(wire.slots.size(), 0);
  const Program program = compile(wire, me, ScalarType::float64, dense);
  std::vector<double> arena(static_cast<std::size_t>(program.placement.words));
  std::vector<double*> arrays(wire.slots.size(), nullptr);
  arrays[static_cast<std::size_t>(wire.find("A"))] = A.data();
  arrays[static_cast<std::size_t>(wire.find("B"))] = B.data();
  arrays[static_cast<std::size_t>(wire.find("C"))] = C.data();
  Executor<double> executor(program, std::make_unique<TwoSided>(comm, nodes_of(comm, 0), program));
  const RunReport report = executor.run(2, -1, arrays, arena.data(), nullptr);
  const Count expected = count(collective, wire, me);
  EXPECT_EQ(report.received, expected.wire_words);
  EXPECT_EQ(report.messages, expected.messages);
  C.for_each([&](Int i, Int j, double x) {
    double dot = 0;
    for (Int l = 0; l < n; ++l) dot += testing::element<double>(i, l, 1) * testing::element<double>(l, j, 2);
    ASSERT_EQ(x, 2 * dot - testing::element<double>(i, j, 3));
  });
}

TEST(Executor, ShiftsBroadcastsAndReductionsRunAsCounted) {
  const Comm world(MPI_COMM_WORLD);
  for (Int n : {1, 5, 12, 17}) {
    if (world.size() >= 16) run_cannon(world, 4, 1, n, 0);
    if (world.size() >= 8) run_cannon(world, 2, 2, n, 1);
    run_cannon(world, 1, 1, n, 0);
  }
}

// Trees of every size and root: each rank ends with the root's values, each root with the sum.
TEST(Executor, TreesReachEveryRankFromEveryRoot) {
  const Comm world(MPI_COMM_WORLD);
  for (Int q = 1; q <= world.size(); ++q)
    for (Int root = 0; root < q; root += 3) {
      Builder s("tree", 3, q, 2, Grid({{"x", q}}), world.size());
      Layout at_root = s.layout({0, 3}, {}, {0, 2}, {}, Order::col);
      at_root.where = {{0, root}};
      const Layout b = s.layout({0, 2}, {}, {0, q}, {Cut::even(s.grid(), 0)}, Order::col);
      const Layout c = s.layout({0, 3}, {}, {0, q}, {Cut::even(s.grid(), 0)}, Order::col);
      const Slot A = s.bcast(s.input("A", at_root, at_root, false), 0, Affine(root));
      const Slot B = s.input("B", b, b, false);
      s.gemm(A, B, s.output("C", c, c));
      const Schedule collective = s.done(), wire = expand_collectives(collective);
      ASSERT_NO_THROW(check(wire));
      const Program program = compile(wire, world.rank(), ScalarType::float64, std::vector<Int>(wire.slots.size(), 0));
      std::vector<double> arena(static_cast<std::size_t>(program.placement.words) + 1);
      const auto a = testing::filled<double>(at_root, world.rank(), 1), x = testing::filled<double>(b, world.rank(), 2);
      const auto y = testing::filled<double>(c, world.rank(), 3);
      std::vector<double*> arrays(wire.slots.size(), nullptr);
      arrays[static_cast<std::size_t>(wire.find("A"))] = a.data();
      arrays[static_cast<std::size_t>(wire.find("B"))] = x.data();
      arrays[static_cast<std::size_t>(wire.find("C"))] = y.data();
      Executor<double> executor(program, std::make_unique<TwoSided>(world, nodes_of(world, 0), program));
      const RunReport report = executor.run(1, 0, arrays, arena.data(), nullptr);
      EXPECT_EQ(report.received, count(collective, wire, world.rank()).wire_words);
      y.for_each([&](Int i, Int j, double v) {
        double dot = 0;
        for (Int l = 0; l < 2; ++l) dot += testing::element<double>(i, l, 1) * testing::element<double>(l, j, 2);
        ASSERT_EQ(v, dot);
      });
    }
}

}  // namespace
}  // namespace cairn
