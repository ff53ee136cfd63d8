// Solutions with triangular matrices through the interpreters.
#include <gtest/gtest.h>

#include "cairn/error.hpp"
#include "interpret/check.hpp"
#include "interpret/count.hpp"
#include "interpret/reference.hpp"
#include "rank_by_rank.hpp"
#include "refusal.hpp"
#include "schedule/passes/passes.hpp"
#include "schedule/text.hpp"
#include "triangular.hpp"

namespace cairn {
namespace {

// What was never brought stays so, wherever it goes.
TEST(Trsm, ATriangleThatWasNotBroughtIsNoTriangle) {
  SolveProblem p{.m = 4, .n = 3, .ranks = 2};
  p.a = Layout::on_one_rank(4, 4);
  Schedule s = make_algorithm(p, "trsm 2x1 b=2");
  ASSERT_NO_THROW(check(s));
  for (LabelledStep& l : s.steps)
    if (auto* const x = std::get_if<Redistribute>(&l.step); x && s[x->dst].name == "A'") x->src = x->dst;
  EXPECT_NE(testing::refusal<ScheduleError>([&] { check(s); }).find("is read before it is written"), std::string::npos);
}

using testing::SolveCase;

template <class F>
void for_all_cases(F f) {
  for (const SolveCase& c : testing::solve_cases()) {
    const Schedule s = c.schedule();
    SCOPED_TRACE(c.spelling + ' ' + spelled(s.problem));
    f(c, s);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(Trsm, PassesTheCheckerAlsoWithPanelsThatTravelEarly) {
  for_all_cases([](const SolveCase&, const Schedule& s) {
    ASSERT_NO_THROW(check(s));
    ASSERT_NO_THROW(check(expand_collectives(look_ahead(s, 1))));
  });
}

TEST(Trsm, TheReferenceFindsTheSolution) {
  for_all_cases([](const SolveCase& c, const Schedule& s) {
    const SolveProblem& p = c.problem;
    Dense A(p.order(), p.order()), B(p.m, p.n);
    for (Int j = 0; j < A.n; ++j)
      for (Int i = 0; i < A.m; ++i) A(i, j) = testing::triangle_element<double>(p, i, j);
    for (Int j = 0; j < p.n; ++j)
      for (Int i = 0; i < p.m; ++i) B(i, j) = testing::right_hand_side<double>(p, i, j);
    const Dense X = reference(expand_collectives(look_ahead(s, 1)), {&A, &B}, testing::solve_alpha, 0);
    for (Int j = 0; j < p.n; ++j)
      for (Int i = 0; i < p.m; ++i) ASSERT_EQ(X(i, j), testing::solution_element<double>(i, j)) << i << ' ' << j;
  });
}

TEST(Trsm, CountsItsFlopsAndWhatEachRankCounts) {
  for_all_cases([](const SolveCase&, const Schedule& s) {
    const Schedule wire = expand_collectives(s);
    const Totals all = count_all(s, wire);
    ASSERT_EQ(all.total_flops, flops(s.problem));
    testing::expect_counts_rank_by_rank(all, s, wire);
  });
}

TEST(Trsm, TextTellsAllOfIt) {
  for_all_cases([](const SolveCase&, const Schedule& s) { ASSERT_EQ(parse_schedule(print(s)), s); });
  const std::string text = "cairn-schedule 1\nalgorithm none\nproblem trsm m=2 n=2 side=up";
  const std::string said = testing::refusal([&] { parse_schedule(text); });
  EXPECT_NE(said.find("'left' or 'right'"), said.npos) << said;
}

// --- what the checker refuses

Schedule good(const char* algorithm = "trsm") {
  SolveProblem p;
  p.m = 5, p.n = 16, p.side = Side::right, p.triangle = Uplo::upper, p.ranks = 4;
  return make_algorithm(p, std::string(algorithm) + " 2x2 b=4");
}

void expect_refused(const Schedule& s, const std::string& why) {
  const std::string said = testing::refusal<ScheduleError>([&] { check(s); });
  EXPECT_NE(said.find(why), said.npos) << said;
}

TEST(Check, RefusesSolutionsThatLackAStepOrHaveItTwice) {
  for (const char* algorithm : {"trsm", "trsm_lazy"}) {
    const Schedule whole = good(algorithm);
    for (std::size_t t = 0; t < whole.steps.size(); ++t) {
      const auto* const x = std::get_if<Compute>(&whole.steps[t].step);
      if (!x) continue;
      Schedule s = whole;
      s.steps.insert(s.steps.begin() + static_cast<std::ptrdiff_t>(t), s.steps[t]);
      const bool adds = x->update == Update::accumulate || works_in_place(*x);  // twice is more than once
      EXPECT_TRUE(!adds || testing::refusal<ScheduleError>([&] { check(s); }) != "") << label(whole, t);
      s = whole;
      s.steps.erase(s.steps.begin() + static_cast<std::ptrdiff_t>(t));
      EXPECT_THROW(check(s), ScheduleError) << label(whole, t);
    }
  }
}

TEST(Check, RefusesAnotherDiagonalThanTheProblems) {
  Schedule s = good();
  std::get<Solve>(s.problem).diag = Diag::unit;
  expect_refused(s, "the problem's diagonal is another one");
}

TEST(Check, RefusesKernelsThatReadTheOtherTriangle) {
  Schedule s = good();
  for (SlotInfo& slot : s.slots)
    if (slot.name == "A") slot.shape = Uplo::lower;
  EXPECT_THROW(check(s), ScheduleError);
}

}  // namespace
}  // namespace cairn
