// Counts kept apart by axis are those found rank by rank.
#include "interpret/separable.hpp"

#include <gtest/gtest.h>

#include <random>

#include "algorithms/registry.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {
namespace {

void expect_counts_rank_by_rank(const Spreads& s, const Schedule& collective, const Schedule& wire) {
  Count most;
  double least = -1, all = 0, messages = 0, flops = 0;
  for (Int r = 0; r < wire.ranks; ++r) {
    const Count c = count(collective, wire, r);
    const auto words = static_cast<double>(c.wire_words);
    most = {std::max(most.received, c.received), std::max(most.wire_words, c.wire_words),
            std::max(most.messages, c.messages), std::max(most.flops, c.flops),
            std::max(most.peak_words, c.peak_words)};
    least = least < 0 ? words : std::min(least, words);
    all += words, messages += static_cast<double>(c.messages), flops += static_cast<double>(c.flops);
  }
  const auto p = static_cast<double>(wire.ranks);
  EXPECT_EQ(s.received.max, static_cast<double>(most.received));
  EXPECT_EQ(s.wire_words.min, least);
  EXPECT_EQ(s.wire_words.max, static_cast<double>(most.wire_words));
  EXPECT_DOUBLE_EQ(s.wire_words.mean * p, all);
  EXPECT_EQ(s.messages.max, static_cast<double>(most.messages));
  EXPECT_DOUBLE_EQ(s.messages.mean * p, messages);
  EXPECT_EQ(s.flops.max, static_cast<double>(most.flops));
  EXPECT_DOUBLE_EQ(s.flops.mean * p, flops);
  EXPECT_EQ(s.peak_words.max, static_cast<double>(most.peak_words));
}

TEST(Separable, BlockCyclicPiecesThatComeOutEvenAreSeparable) {
  for (const char* spelling : {"summa 4x4 b=4 cyclic", "hsumma 4x4 groups=2x2 M=4 b=2 cyclic"})
    for (Int blocks : {1, 3}) {
      GemmProblem p;
      p.m = p.n = 16 * blocks, p.k = 48, p.ranks = 17;
      Schedule s = make_algorithm(p, spelling).schedule;
      for (LabelledStep& l : s.steps)
        if (auto* x = std::get_if<Bcast>(&l.step)) x->how.way = Way::scatter_allgather;
      const Schedule wire = expand_collectives(s);
      const std::optional<Spreads> counts = count_separably(s, wire);
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
      const std::optional<Spreads> counts = count_separably(s, wire);
      SCOPED_TRACE(::testing::Message() << spelling << " of " << p.m << "x" << p.n << "x" << p.k);
      if (counts) expect_counts_rank_by_rank(*counts, s, wire), ++separable;
      expect_counts_rank_by_rank(count_spreads(s, wire), s, wire);
    }
  EXPECT_GT(separable, 40);
}

}  // namespace
}  // namespace cairn
