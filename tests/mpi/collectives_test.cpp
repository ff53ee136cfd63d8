// Every way of every collective over MPI: exact values, and words and messages received as counted on every rank.
#include "collectives.hpp"

#include <gtest/gtest.h>

#include "distributed.hpp"
#include "interpret/count.hpp"
#include "runtime/executor.hpp"

namespace cairn {
namespace {

using testing::Matrix;

// C(i, j) must be value(i, j) plus beta times what was there.
template <class Value>
void expect_run(const Comm& comm, const Schedule& s, double beta, Value value) {
  const Schedule wire = expand_collectives(s);
  const int me = comm.rank();
  const Program program = compile(wire, me);
  std::vector<double> arena(static_cast<std::size_t>(program.placement.words) + 1, -1e9);
  const auto A = testing::filled<double>(wire.layout(0), me, 1), B = testing::filled<double>(wire.layout(1), me, 2),
             C = testing::filled<double>(wire.layout(2), me, 3);
  std::vector<double*> arrays(wire.slots.size(), nullptr);
  arrays[0] = A.data(), arrays[1] = B.data(), arrays[2] = C.data();
  Executor<double> executor(program, std::make_unique<TwoSided>(comm, nodes_of(comm, 0), program, ScalarType::float64));
  const RunReport report = executor.run(1, beta, arrays, arena.data(), nullptr);
  const Count expected = count(s, wire, me);
  EXPECT_EQ(report.received, expected.wire_words);
  EXPECT_EQ(report.messages, expected.messages);
  C.for_each([&](Int i, Int j, double x) {
    ASSERT_EQ(x, value(i, j) + beta * testing::element<double>(i, j, 3)) << "C(" << i << ", " << j << ")";
  });
}

std::vector<How> hows(Collective of) {
  std::vector<How> all;
  for (Way way : ways_of(of)) all.push_back({way, way == Way::chain ? 5 : 0});
  return all;
}

// Runs f(communicator, matrix, salt) on groups of 1 to 16 ranks.
template <class F>
void in_groups(F f) {
  for (const std::vector<Int>& sizes : {std::vector<Int>{16}, {13, 3}, {11, 5}, {8, 7, 1}, {6, 4, 2}, {9}}) {
    const testing::Group group(sizes);
    if (!group.member()) continue;
    const Comm comm(group.raw());
    Int salt = 0;
    for (Matrix x : testing::matrices) f(comm, x, salt++);
  }
}

Order order(Int salt) { return salt % 2 == 0 ? Order::col : Order::row; }

TEST(Collectives, MoveExactlyWhatIsCounted) {
  in_groups([](const Comm& comm, Matrix x, Int salt) {
    const Int q = comm.size(), root = salt * 5 % q;
    const auto first = [](Int i, Int j) { return testing::element<double>(i, j, 1); };
    for (How how : hows(Collective::bcast)) {
      SCOPED_TRACE(::testing::Message() << "bcast " << text_of(how) << " of " << x.m << "x" << x.n << " over " << q);
      expect_run(comm, testing::bcast_schedule(q, root, x, order(salt), how), 0, first);
    }
    for (How how : hows(Collective::allgather)) {
      SCOPED_TRACE(::testing::Message() << "gather " << text_of(how) << " of " << x.m << "x" << x.n << " over " << q);
      expect_run(comm, testing::allgather_schedule(q, x, order(salt), how), 0, first);
    }
  });
}

TEST(Collectives, SumExactlyWhatIsCounted) {
  in_groups([](const Comm& comm, Matrix x, Int salt) {
    const Int q = comm.size(), root = salt * 5 % q, k = q + 2;
    const auto product = [k](Int i, Int j) {
      double dot = 0;
      for (Int l = 0; l < k; ++l) dot += testing::element<double>(i, l, 1) * testing::element<double>(l, j, 2);
      return dot;
    };
    const Update update = salt % 2 == 0 ? Update::beta : Update::overwrite;
    const double beta = update == Update::beta ? 2 : 0;
    for (How how : hows(Collective::reduce)) {
      SCOPED_TRACE(::testing::Message() << "reduce " << text_of(how) << " of " << x.m << "x" << x.n << " over " << q);
      expect_run(comm, testing::sum_schedule(q, root, x, k, order(salt), update, how), beta, product);
    }
    for (How how : hows(Collective::reduce_scatter)) {
      SCOPED_TRACE(::testing::Message() << "scatter " << text_of(how) << " of " << x.m << "x" << x.n << " over " << q);
      expect_run(comm, testing::sum_schedule(q, std::nullopt, x, k, order(salt), update, how), beta, product);
    }
  });
}

}  // namespace
}  // namespace cairn
