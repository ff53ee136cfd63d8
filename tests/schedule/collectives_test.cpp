// Every way of every collective: the expansion keeps the schedule's contract, computes the same, and each rank receives
// what the closed form says.
#include "collectives.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "interpret/check.hpp"
#include "interpret/count.hpp"
#include "interpret/reference.hpp"
#include "refusal.hpp"
#include "schedule/passes/passes.hpp"
#include "schedule/text.hpp"

namespace cairn {
namespace {

using testing::Matrix;
using testing::Pieces;
using testing::pieces;
using testing::Received;

Dense numbered(Int m, Int n, Int seed) {
  Dense X(m, n);
  for (Int j = 0; j < n; ++j)
    for (Int i = 0; i < m; ++i) X(i, j) = static_cast<double>((i * 7 + j * 13 + seed) % 23 - 11);
  return X;
}

template <class Expected>
void expect_collective(const Schedule& s, double beta, Expected expected) {
  const Schedule wire = expand_collectives(s);
  ASSERT_NO_THROW(check_steps(s));
  ASSERT_NO_THROW(check_steps(wire)) << print(wire);
  ASSERT_TRUE(parse_schedule(print(wire)) == wire) << print(wire);
  const Layout &a = s.layout(0), &b = s.layout(1);
  const Dense A = numbered(a.m(), a.n(), 1), B = numbered(b.m(), b.n(), 2),
              C = numbered(result_of(s.problem).m, result_of(s.problem).n, 3);
  const Dense before = reference(s, A, B, C, 1, beta), after = reference(wire, A, B, C, 1, beta);
  ASSERT_EQ(before.x, after.x) << print(wire);
  for (double x : after.x) ASSERT_EQ(x, x);
  for (Int rank = 0; rank < s.ranks; ++rank) {
    const Count n = count(s, wire, rank);
    const Received r = expected(rank);
    ASSERT_EQ(n.wire_words, r.words) << "rank " << rank << "\n" << print(wire);
    ASSERT_EQ(n.messages, r.messages) << "rank " << rank << "\n" << print(wire);
  }
  const Totals all = count_all(s, wire);
  EXPECT_GE(all.max.wire_words, count(s, wire, s.ranks - 1).wire_words);
}

std::vector<Int> roots(Int q) {
  std::vector<Int> all{0};
  for (Int root : {q / 2, q - 1})
    if (root != all.back()) all.push_back(root);
  return all;
}
constexpr Int most = 17;
std::vector<How> hows(Collective of) {
  std::vector<How> all;
  for (Way way : ways_of(of))
    for (Int segments : {1, 3, 8})
      if (way == Way::chain || segments == 1) all.push_back({way, way == Way::chain ? segments : 0});
  return all;
}
Order order(Int salt) { return salt % 2 == 0 ? Order::col : Order::row; }

TEST(Collectives, BroadcastsGiveAllTheRootsValues) {
  Int salt = 0;
  for (How how : hows(Collective::bcast))
    for (Int q = 1; q <= most; ++q)
      for (Int root : roots(q)) {
        const Matrix x = testing::matrices[static_cast<std::size_t>(++salt) % testing::matrices.size()];
        const Order o = order(salt);
        const Int parts = how.way == Way::chain ? how.segments : q;
        SCOPED_TRACE(::testing::Message()
                     << text_of(how) << " of " << x.m << "x" << x.n << " over " << q << " from " << root);
        expect_collective(testing::bcast_schedule(q, root, x, o, how), 0, [&](Int rank) {
          return testing::bcast_received(how.way, wrap(rank - root, q), q, pieces(x, o, parts), how.segments);
        });
      }
}

TEST(Collectives, ReductionsGiveTheRootTheSum) {
  Int salt = 0;
  for (How how : hows(Collective::reduce))
    for (Int q = 1; q <= most; ++q)
      for (Int root : roots(q)) {
        const Matrix x = testing::matrices[static_cast<std::size_t>(++salt) % testing::matrices.size()];
        const Order o = order(salt);
        const Int parts = how.way == Way::chain ? how.segments : q;
        const Update update = salt % 3 == 0 ? Update::beta : Update::overwrite;
        SCOPED_TRACE(::testing::Message()
                     << text_of(how) << " of " << x.m << "x" << x.n << " over " << q << " to " << root);
        expect_collective(testing::sum_schedule(q, root, x, q + 2, o, update, how), 2, [&](Int rank) {
          return testing::reduce_received(how.way, wrap(rank - root, q), q, pieces(x, o, parts), how.segments);
        });
      }
}

TEST(Collectives, GathersGiveAllTheWhole) {
  for (How how : hows(Collective::allgather))
    for (Int q = 1; q <= most; ++q)
      for (Matrix x : testing::matrices)
        for (Order o : {Order::col, Order::row}) {
          SCOPED_TRACE(::testing::Message() << text_of(how) << " of " << x.m << "x" << x.n << " over " << q);
          expect_collective(testing::allgather_schedule(q, x, o, how), 0, [&](Int v) {
            return testing::allgather_received(how.way, v, q, {x, o == Order::col, q});
          });
        }
}

TEST(Collectives, ReduceScattersGiveEachItsPieceOfTheSum) {
  Int salt = 0;
  for (How how : hows(Collective::reduce_scatter))
    for (Int q = 1; q <= most; ++q)
      for (Matrix x : testing::matrices) {
        const Order o = order(++salt);
        const Update update = salt % 3 == 0 ? Update::beta : Update::overwrite;
        SCOPED_TRACE(::testing::Message() << text_of(how) << " of " << x.m << "x" << x.n << " over " << q);
        expect_collective(testing::sum_schedule(q, std::nullopt, x, q + 2, o, update, how), 2, [&](Int v) {
          return testing::reduce_scatter_received(how.way, v, q, {x, o == Order::col, q});
        });
      }
}

// C = A along axis x of a grid {y:3, x:q}, each line from another root.
TEST(Collectives, LinesMayHaveDifferentRoots) {
  const Matrix x{6, 23};
  for (How how : hows(Collective::bcast))
    for (Int q = 1; q <= 9; ++q)
      for (Affine root : {Affine(q / 2), Affine::along(0), 2 * Affine::along(0) + Affine(-1)}) {
        SCOPED_TRACE(::testing::Message() << text_of(how) << " over " << q);
        const Grid grid({{"y", 3}, {"x", q}});
        Layout rows = testing::whole(grid, x, Order::col);
        rows.rows.cuts = {Cut::even(grid, 0)};
        Schedule s = testing::moving(x.m, x.n, grid, rows, rows);
        s.steps.push_back({Bcast{0, 2, 1, root, how}, ""});
        Int segments = std::max<Int>(how.segments, 1);  // of different roots, a divisor of q
        while (!root.terms.empty() && q % segments != 0) --segments;
        expect_collective(s, 0, [&](Int rank) {
          const Pieces p{{2, x.n}, true, how.way == Way::chain ? segments : q};
          return testing::bcast_received(how.way, wrap(rank % q - root.at(grid, rank), q), q, p, segments);
        });
      }
}

TEST(Collectives, PiecesThatAreNotEvenStayDirect) {
  Schedule s = testing::allgather_schedule(3, {4, 10}, Order::col, {Way::ring, 0});
  s.slots[0].layout.cols.cuts = {{Cut::Kind::bounds, 3, Affine::along(0), 0, 0, {0, 1, 9, 10}}};
  EXPECT_EQ(expand_collectives(s).steps, s.steps);
  ASSERT_NO_THROW(check_steps(s));
}

TEST(Collectives, CheckRefusesATreeThatSendsWhatHasNotArrived) {
  const How how{Way::binomial, 0};
  Schedule wire = expand_collectives(testing::bcast_schedule(8, 0, {2, 2}, Order::col, how));
  ASSERT_NO_THROW(check_steps(wire));
  std::swap(wire.steps[1], wire.steps[2]);
  EXPECT_THROW(check_steps(wire), ScheduleError);
}

Int around(Int by, Int q) { return std::min(wrap(by, q), wrap(-by, q)); }

// Σ over the messages of a broadcast from rank 0 of the difference of coordinates, around the axis.
Int sum_of_distances(Way way, Int q) {
  const Schedule wire = expand_collectives(testing::bcast_schedule(q, 0, {1, 1}, Order::col, {way, 0}));
  Int sum = 0;
  for (const LabelledStep& l : wire.steps)
    if (const auto* x = std::get_if<Shift>(&l.step))
      for (Int v = 0; v < q; ++v)
        if (x->who.has(v)) sum += around(x->by.constant, q);
  return sum;
}

// The least sum of all trees that finish in `rounds` rounds, each of which sends every message equally far.
Int least_sum(std::uint32_t holders, Int q, Int rounds) {
  const std::uint32_t all = (std::uint32_t{1} << q) - 1;
  if (holders == all) return 0;
  Int least = q * q;
  for (Int d = 1; d < q && rounds > 0; ++d) {
    const std::uint32_t moved = ((holders << d) | (holders >> (q - d))) & all, fresh = moved & ~holders;
    if (fresh == 0) continue;
    const Int here = std::popcount(fresh) * around(d, q);
    least = std::min(least, here + least_sum(holders | fresh, q, rounds - 1));
  }
  return least;
}

TEST(Collectives, NearHasTheLeastSumOfDistances) {
  for (Int q : {2, 4, 8, 16}) {
    const auto log2 = static_cast<Int>(std::countr_zero(static_cast<std::uint64_t>(q)));
    EXPECT_EQ(sum_of_distances(Way::near, q), least_sum(1, q, log2)) << q;
    EXPECT_EQ(sum_of_distances(Way::near, q), q / 2 * log2) << q;
  }
  for (Int q = 2; q <= 64; ++q) EXPECT_LE(sum_of_distances(Way::near, q), sum_of_distances(Way::binomial, q)) << q;
}

TEST(Collectives, AreAskedForByName) {
  Collectives expected;
  EXPECT_EQ(parse_collectives("  "), expected);
  expected[Collective::bcast] = {Way::chain, 8};
  expected[Collective::reduce_scatter] = {Way::ring, 0};
  EXPECT_EQ(parse_collectives("bcast=chain:8,reduce_scatter = ring "), expected);
  const auto refusal = [](const char* text) { return testing::refusal([&] { parse_collectives(text); }); };
  EXPECT_EQ(refusal("gather=ring"),
            "collectives: 'gather' is unknown, expected one of bcast, reduce, allgather, reduce_scatter");
  EXPECT_EQ(refusal("allgather=circle"),
            "collectives: 'circle' is no way of allgather, expected one of direct, packed, ring, doubling, bruck");
  for (const char* text : {"bcast", "bcast=", "=", ",", "bcast=flat,", "bcast=flat,bcast=near", "bcast=flat:2",
                           "bcast=chain:0", "bcast=chain:", "bcast=chain:x", "bcast=chain:9999999999", "bcast=open"})
    EXPECT_NE(refusal(text), "accepted") << text;
}

}  // namespace
}  // namespace cairn
