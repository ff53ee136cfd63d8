// Datatypes describe what they say, of any size, and collectives that are not COSMA's run as counted.
#include "runtime/datatypes.hpp"

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "distributed.hpp"
#include "interpret/check.hpp"
#include "interpret/count.hpp"
#include "refusal.hpp"
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
  Datatypes short_ones(ScalarType::float64, 1000), types(ScalarType::float64);
  for (Int count : {Int{999}, Int{1000}, Int{1001}, Int{12345}, Int{2000}})
    EXPECT_EQ(elements(short_ones.contiguous(count)), count);
  EXPECT_EQ(elements(types.contiguous((Int{1} << 33) + 5)), (Int{1} << 33) + 5);
  const TypedBuffer big = types.whole(Int{5} << 30);
  EXPECT_EQ(big.count, 1);
  EXPECT_EQ(elements(big.type), Int{5} << 30);
}

using Runs = std::vector<cairn::Run>;

// Sends `inner` × `outer` of an array to this rank itself and compares with reading the array in that order; also in
// pieces of two elements and of two lines, as long messages go.
void expect_in_order(const Runs& inner, const Runs& outer) {
  constexpr Int ld = 7;
  std::vector<double> from(70), expected;
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<double>(i);
  for (auto o : outer)
    for (Int c = o.start; c < o.start + o.length; ++c)
      for (auto i : inner)
        for (Int r = i.start; r < i.start + i.length; ++r) expected.push_back(static_cast<double>(r + c * ld));
  for (Int longest : {Datatypes::most, Int{2}}) {
    Datatypes types(ScalarType::float64, longest);
    std::vector<double> to(70, -1);
    const TypedBuffer b = types.block(inner, outer, ld);
    MPI_Sendrecv(from.data() + b.offset, b.count, b.type, 0, 1, to.data(), 70, MPI_DOUBLE, 0, 1, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
    to.resize(expected.size());
    EXPECT_EQ(to, expected) << "in pieces of " << longest;
  }
}

TEST(Datatypes, BlocksOfAnArrayArriveInOrder) {
  expect_in_order({{1, 2}, {4, 2}}, {{0, 1}, {3, 4}});
  expect_in_order({{2, 3}}, {{1, 4}});
  expect_in_order({{2, 3}}, {{1, 2}});
  expect_in_order({{0, 3}, {4, 3}}, {{1, 2}, {4, 5}});
  expect_in_order({{0, 7}}, {{2, 3}});
  expect_in_order({{3, 1}}, {{9, 1}});
}

TEST(Datatypes, BlocksAreOfAnySize) {
  Datatypes types(ScalarType::float64);
  constexpr Int long_run = (Int{1} << 31) + 3;
  const auto size = [&](const Runs& inner, const Runs& outer, Int ld) {
    return elements(types.block(inner, outer, ld).type);
  };
  EXPECT_EQ(size({{0, long_run}}, {{0, 5}}, long_run + 1), 5 * long_run);
  EXPECT_EQ(size({{0, 2}, {3, long_run - 3}}, {{0, 2}, {7, 2}}, long_run + 1), 4 * (long_run - 1));
  EXPECT_EQ(size({{1, 2}}, {{3, long_run}}, 4), 2 * long_run);
  EXPECT_EQ(size({{1, 2}}, {{3, long_run}, {2 * long_run, 1}}, 4), 2 * (long_run + 1));
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
  const Slot sum = s.partial_sum("C+", everywhere);
  for (Int t = 0; t < q / c; ++t) {
    if (t > 0) A = s.shift(A, 1, 1), B = s.shift(B, 0, 1);
    s.gemm(A, B, sum);
  }
  s.reduce(sum, C, 2, Affine(home));
  return s.done();
}

// C ← alpha·A·B + beta·C by the schedule, in messages of at most `longest` elements: the right C, and what was counted.
void expect_run(const Comm& comm, const Schedule& collective, int depth, double alpha, double beta,
                Int longest = Datatypes::most) {
  const Schedule wire = expand_collectives(look_ahead(collective, depth));
  ASSERT_NO_THROW(check(collective));
  ASSERT_NO_THROW(check(wire));
  const int me = comm.rank();
  const Slot slots[] = {wire.find("A"), wire.find("B"), wire.find("C")};
  std::vector<DistMatrix<double>> X;
  std::vector<double*> arrays(wire.slots.size(), nullptr);
  for (int x = 0; x < 3; ++x) {
    X.push_back(testing::filled<double>(wire.layout(slots[x]), me, x + 1));
    arrays[static_cast<std::size_t>(slots[x])] = X.back().data();
  }
  const Program program = compile(wire, me);
  std::vector<double> arena(static_cast<std::size_t>(program.placement.words) + 1);
  Executor<double> executor(program,
                            std::make_unique<TwoSided>(comm, nodes_of(comm, 0), program, ScalarType::float64, longest));
  const RunReport report = executor.run(alpha, beta, arrays, arena.data(), nullptr);
  testing::expect_counted(report, count(collective, wire, me));
  const Multiply size = std::get<Multiply>(wire.problem);
  testing::expect_product(X[2], testing::problem(size.m, size.n, size.k, comm.size()), alpha, beta);
}

TEST(Executor, ShiftsBroadcastsAndReductionsRunAsCounted) {
  const Comm world(MPI_COMM_WORLD);
  for (Int n : {1, 5, 12, 17}) {
    expect_run(world, cannon(4, 1, n, world.size(), 0), 1, 2, -1);
    expect_run(world, cannon(2, 2, n, world.size(), 1), 1, 2, -1);
    expect_run(world, cannon(1, 1, n, world.size(), 0), 1, 2, -1);
  }
}

// As messages of more elements than an int counts: in pieces of fewer elements than a block, and a line, has.
TEST(Executor, LongMessagesGoInPiecesAndAreCountedWhole) {
  const Comm world(MPI_COMM_WORLD);
  for (Int longest : {1, 3, 10}) {
    expect_run(world, cannon(4, 1, 17, world.size(), 0), 1, 2, -1, longest);
    for (const char* spelling : {"cosma pm2,pn2,pk4,sk3", "cosma pk2,pn8", "summa 4x4 b=5"}) {
      GemmProblem p = testing::problem(33, 35, 37, world.size());
      expect_run(world, make_algorithm(p, spelling).schedule, 1, 2, -1, longest);
      p.a = testing::some_layout(33, 37, world.size(), 3), p.c = testing::some_layout(33, 35, world.size(), 4);
      expect_run(world, make_algorithm(p, spelling).schedule, 1, 2, -1, longest);
    }
  }
}

// Tags repeat after 32768 steps, the most that MPI promises.
TEST(Executor, StepsBeyondTheLastTagRunAsCounted) {
  const testing::Group pair({2});
  if (!pair.member()) return;
  const Comm comm(pair.raw());
  const Schedule s = make_algorithm(testing::problem(2, 2, 33000, 2), "summa 1x2 b=1").schedule;
  EXPECT_GT(s.steps.size(), 65536U);
  expect_run(comm, s, 2, 1, 0);
}

TEST(Executor, CollectivesAreExpandedFirst) {
  const auto said = [](const Schedule& s) { return testing::refusal<RuntimeError>([&] { compile(s, 0); }); };
  Schedule s = cannon(2, 2, 5, 8, 0);
  EXPECT_EQ(said(s), "a Bcast reached the executor: expand_collectives comes first");
  std::erase_if(s.steps, [](const LabelledStep& l) { return std::holds_alternative<Bcast>(l.step); });
  EXPECT_EQ(said(s), "a Reduce reached the executor: expand_collectives comes first");
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
      expect_run(world, s.done(), 0, 1, 0);
    }
}

}  // namespace
}  // namespace cairn
