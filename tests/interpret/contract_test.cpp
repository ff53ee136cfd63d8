// The contract of every schedule, without MPI: it checks, it computes the product, and its counts add up.
#include <gtest/gtest.h>

#include "cases.hpp"
#include "interpret/check.hpp"
#include "interpret/classes.hpp"
#include "interpret/count.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {
namespace {

using testing::Shape;

GemmProblem problem(Shape s, Int ranks) {
  GemmProblem p;
  p.m = s.m, p.n = s.n, p.k = s.k, p.ranks = ranks;
  return p;
}

template <class F>
void for_all_cosma(F f) {
  for (Int ranks : testing::rank_counts)
    for (const std::string& cuts : testing::cosma_cuts(ranks))
      for (Shape shape : testing::shapes) {
        SCOPED_TRACE(::testing::Message() << cuts << " " << shape.m << "x" << shape.n << "x" << shape.k);
        f(problem(shape, ranks), cosma(problem(shape, ranks), parse_cosma_cuts(cuts)));
      }
}

TEST(Contract, EverySchedulePassesTheChecker) {
  for_all_cosma([](const GemmProblem&, const Schedule& s) {
    ASSERT_NO_THROW(check(s));
    ASSERT_NO_THROW(check(expand_collectives(look_ahead(s, 1))));
  });
}

TEST(Contract, TheReferenceComputesTheProduct) {
  for_all_cosma([](const GemmProblem& p, const Schedule& s) {
    const Dense A = testing::integers(p.m, p.k, 1), B = testing::integers(p.k, p.n, 2),
                C = testing::integers(p.m, p.n, 3);
    const Dense want = testing::product(A, B, C, 2, -1);
    ASSERT_EQ(reference(s, A, B, C, 2, -1).x, want.x);
    ASSERT_EQ(reference(expand_collectives(look_ahead(s, 2)), A, B, C, 2, -1).x, want.x);
  });
}

TEST(Count, ByClassesEqualsRankByRank) {
  for_all_cosma([](const GemmProblem& p, const Schedule& s) {
    const Schedule wire = expand_collectives(look_ahead(s, 1));
    const Totals totals = count_all(s, wire);
    Count max;
    double received = 0, flops = 0;
    for (Int r = 0; r < p.ranks; ++r) {
      const Count c = count(s, wire, r);
      max = {std::max(max.received, c.received), std::max(max.wire_words, c.wire_words),
             std::max(max.messages, c.messages), std::max(max.flops, c.flops), std::max(max.peak_words, c.peak_words)};
      received += static_cast<double>(c.received);
      flops += static_cast<double>(c.flops);
    }
    ASSERT_EQ(totals.max, max);
    ASSERT_DOUBLE_EQ(totals.mean_received * static_cast<double>(p.ranks), received);
    ASSERT_EQ(flops, 2.0 * static_cast<double>(p.m * p.n * p.k));
  });
}

TEST(Count, DirectExchangesReceiveNoWordTwice) {
  for_all_cosma([](const GemmProblem& p, const Schedule& s) {
    const Schedule wire = expand_collectives(s);
    for (Int r = 0; r < p.ranks; ++r) ASSERT_EQ(count(s, wire, r).received, count(s, wire, r).wire_words);
  });
}

TEST(Count, AMillionRanksHaveFewClasses) {
  const GemmProblem p = problem({100003, 100019, 100043}, 1000000);
  const Schedule s = cosma(p, parse_cosma_cuts("pm100,pn100,pk100,sk3"));
  EXPECT_LT(combinations(classes({&s})), 2000);
  const Totals t = count_all(s, expand_collectives(s));
  EXPECT_EQ(t.total_flops, 2.0 * 100003 * 100019 * 100043);
}

}  // namespace
}  // namespace cairn
