// Plans made after the model of others, for other sizes.
#include <gtest/gtest.h>

#include "cairn/error.hpp"
#include "cairn/plan.hpp"
#include "planner/plan_data.hpp"
#include "problem.hpp"

namespace cairn {
namespace {

GemmProblem in_blocks(Int m, Int n, Int k, Int b, Int pr, Int pc) {
  GemmProblem p = testing::problem(m, n, k, pr * pc);
  p.a = Layout::block_cyclic(m, k, {b, b, pr, pc});
  p.b = Layout::block_cyclic(k, n, {b, b, pr, pc});
  p.c = Layout::block_cyclic(m, n, {b, b, pr, pc});
  return p;
}

TEST(PlanAlike, HasTheModelsAlgorithmInAsManyRounds) {
  struct Case {
    const char *model, *alike;
  };
  // The inner dimension is 600 in the model, 300 in the other.
  for (const Case& c :
       {Case{"summa 2x2 b=150", "summa 2x2 b=75"}, Case{"summa 2x2 b=150 held", "summa 2x2 b=75 held"},
        Case{"summa 2x2 b=600 held", "summa 2x2 b=300 held"}, Case{"cannon 2x2", "cannon 2x2"},
        Case{"cosma pm2,pn2,sk3", "cosma pm2,pn2,sk3"}, Case{"summa 2x2 b=64 cyclic", "summa 2x2 b=64 cyclic"}}) {
    const Plan model = plan(in_blocks(400, 500, 600, 16, 2, 2), {.algorithm = c.model});
    const Plan alike = plan_alike(model, in_blocks(380, 450, 300, 16, 2, 2));
    EXPECT_EQ(alike.algorithm(), c.alike);
    EXPECT_EQ(alike.transport(), model.transport());
    EXPECT_EQ(alike.data().look_ahead, model.data().look_ahead);
    const bool blocks_stay = std::string_view(c.model).find("cyclic") != std::string_view::npos;
    EXPECT_EQ(alike.rounds() == model.rounds(), !blocks_stay);
  }
}

TEST(PlanAlike, OfTheSameProblemIsThatPlan) {
  for (Int ranks : {1, 2, 3, 4, 6, 8, 13}) {
    const GemmProblem p = in_blocks(400, 300, 200, 16, 1, ranks);
    const Plan searched = plan(p), again = plan_alike(searched, p);
    EXPECT_EQ(again.print(), searched.print());
    EXPECT_EQ(again.max_count(), searched.max_count());
    EXPECT_EQ(again.predicted_seconds(), searched.predicted_seconds());
  }
}

// It costs little beside the best: sizes within a factor of two.
TEST(PlanAlike, IsNearlyAsGoodAsTheBest) {
  for (Int k = 2048; k >= 1024; k -= 64) {
    const GemmProblem p = in_blocks(2048, 64, k, 64, 2, 2);
    const Plan best = plan(p), alike = plan_alike(plan(in_blocks(2048, 64, 1984, 64, 2, 2)), p);
    EXPECT_LE(alike.predicted_seconds(), 1.1 * best.predicted_seconds()) << k;
  }
}

TEST(PlanAlike, OfEmptyProductsIsAPlanToo) {
  const Plan model = plan(in_blocks(40, 50, 60, 8, 2, 2));
  for (const testing::Shape& s : {testing::Shape{0, 50, 60}, {40, 0, 60}, {40, 50, 0}, {1, 1, 1}})
    EXPECT_NO_THROW(plan_alike(model, in_blocks(s.m, s.n, s.k, 8, 2, 2)));
}

TEST(PlanAlike, RefusesWhatTheAlgorithmCannotDo) {
  const Plan held = plan(in_blocks(400, 300, 200, 16, 2, 2), {.algorithm = "summa 2x2 b=64 held"});
  EXPECT_THROW(plan_alike(held, testing::problem(400, 300, 200, 4)), ArgumentError) << "no layout of the caller's";
  EXPECT_THROW(plan_alike(held, in_blocks(400, 300, 200, 16, 1, 4)), ArgumentError) << "another grid";
  GemmProblem negative = in_blocks(400, 300, 200, 16, 2, 2);
  negative.k = -1;
  EXPECT_THROW(plan_alike(held, negative), ArgumentError);
}

}  // namespace
}  // namespace cairn
