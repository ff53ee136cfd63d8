// Counts kept apart by axis are those found rank by rank.
#include "interpret/separable.hpp"

#include <gtest/gtest.h>

#include <random>

#include "algorithms/registry.hpp"
#include "rank_by_rank.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {
namespace {

using testing::expect_counts_rank_by_rank;

TEST(Separable, BlockCyclicPiecesThatComeOutEvenAreSeparable) {
  for (const char* spelling : {"summa 4x4 b=4 cyclic", "hsumma 4x4 groups=2x2 M=4 b=2 cyclic"})
    for (Int blocks : {1, 3}) {
      GemmProblem p;
      p.m = p.n = 16 * blocks, p.k = 48, p.ranks = 17;
      Schedule s = make_algorithm(p, spelling).schedule;
      for (LabelledStep& l : s.steps)
        if (auto* x = std::get_if<Bcast>(&l.step)) x->how.way = Way::scatter_allgather;
      const Schedule wire = expand_collectives(s);
      const std::optional<Totals> counts = count_separably(s, wire);
      SCOPED_TRACE(::testing::Message() << spelling << " of " << p.m << "x" << p.n << "x" << p.k);
      ASSERT_TRUE(counts);
      expect_counts_rank_by_rank(*counts, s, wire);
    }
}

TEST(Separable, EqualsCountsRankByRank) {
  std::mt19937 random(1);
  const auto size = [&] { return std::uniform_int_distribution<Int>(1, 70)(random); };
  int separable = 0;
  for (int i = 0; i < 40; ++i)
    for (const char* spelling :
         {"summa 3x4 b=5", "summa 4x4 b=7", "cosma pm2,pn3,pk2,sk2", "summa 2x5 b=3 stationary=a"}) {
      GemmProblem p;
      p.m = size(), p.n = size(), p.k = size(), p.ranks = 17;
      const Schedule s = look_ahead(make_algorithm(p, spelling).schedule, i % 2), wire = expand_collectives(s);
      const std::optional<Totals> counts = count_separably(s, wire);
      SCOPED_TRACE(::testing::Message() << spelling << " of " << p.m << "x" << p.n << "x" << p.k);
      if (counts) expect_counts_rank_by_rank(*counts, s, wire), ++separable;
      expect_counts_rank_by_rank(count_all(s, wire), s, wire);
    }
  EXPECT_GT(separable, 40);
}

}  // namespace
}  // namespace cairn
