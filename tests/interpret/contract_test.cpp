// The contract of every schedule, without MPI: it checks, it computes the product, and its counts add up.
#include "contract.hpp"

#include <gtest/gtest.h>

#include "interpret/classes.hpp"
#include "interpret/count.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {
namespace {

using testing::problem;
using testing::Shape;

constexpr std::size_t one_in = 4;

template <class F>
void for_all_cases(F f) {
  for (const testing::Case& c : testing::cases(one_in)) {
    SCOPED_TRACE(testing::text(c));
    const GemmProblem p = problem(c.shape, c.ranks);
    f(p, make_algorithm(p, c.spelling).schedule);
  }
}

TEST(Contract, EverySchedulePassesTheChecker) {
  for_all_cases([](const GemmProblem&, const Schedule& s) { testing::expect_passes_the_checker(s); });
}

TEST(Contract, TheReferenceComputesTheProduct) { for_all_cases(testing::expect_computes_the_product); }

TEST(Count, ByClassesEqualsRankByRank) {
  for_all_cases([](const GemmProblem& p, const Schedule& s) {
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

bool has_trees(const Schedule& s) {
  return std::any_of(s.steps.begin(), s.steps.end(), [](const LabelledStep& l) {
    return std::holds_alternative<Bcast>(l.step) || std::holds_alternative<Reduce>(l.step);
  });
}

TEST(Count, DirectExchangesReceiveNoWordTwice) {
  for_all_cases([](const GemmProblem& p, const Schedule& s) {
    if (has_trees(s)) return;
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
