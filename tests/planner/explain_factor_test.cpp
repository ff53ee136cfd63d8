// What `cairn plan potrf` and `cairn plan trsm` say, and that text and JSON say what the plan counts.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cairn/error.hpp"
#include "cairn/factor_plan.hpp"
#include "narrow_lines.hpp"
#include "planner/page.hpp"
#include "planner/plan_factor.hpp"
#include "planner/problem_text.hpp"
#include "refusal.hpp"

namespace cairn {
namespace {

using Json = nlohmann::json;

std::vector<FactorPlan> some_plans() {
  Options words, limited, asked, in_a_line, in_layers;
  in_a_line.algorithm = "triangle 7 b=32", in_layers.algorithm = "triangle 3x2 b=32";
  words.prefer = "words";
  limited.memory_words = 90000;
  asked.algorithm = "trsm 2x2x2 b=32";
  FactoriseProblem held{.n = 300, .triangle = Uplo::upper, .ranks = 6, .type = ScalarType::complex64};
  held.a = Layout::row_blocks(300, 300, 6);
  return {plan(FactoriseProblem{.n = 600, .ranks = 12}),
          plan(FactoriseProblem{.n = 600, .ranks = 12}, words),
          plan(FactoriseProblem{.n = 600, .ranks = 8}, limited),
          plan(held),
          plan(FactoriseProblem{.n = 0, .ranks = 1}),
          plan(SolveProblem{.m = 200, .n = 300, .side = Side::right, .op = Op::adjoint, .ranks = 12}),
          plan(SolveProblem{.m = 200, .n = 300, .ranks = 8}, asked),
          plan(FactoriseProblem{.n = 300, .ranks = 8}, in_a_line),
          plan(FactoriseProblem{.n = 300, .ranks = 8}, in_layers)};
}

TEST(ExplainFactor, PageAndJsonSayWhatThePlanCounts) {
  for (const FactorPlan& p : some_plans()) {
    testing::expect_narrow_lines(p.explain());
    const Json json = Json::parse(p.json());
    EXPECT_EQ(json["received_words"]["max"], p.max_count().received);
    EXPECT_DOUBLE_EQ(json["received_words"]["mean"].get<double>(), p.mean_received());
    EXPECT_EQ(json["peak_words"]["max"], p.max_count().peak_words);
    EXPECT_EQ(json["predicted_seconds"], p.predicted_seconds());
  }
}

TEST(ExplainFactor, OperationsAreExactUpTo64BitsAndRefusedBeyond) {
  Options o;
  o.algorithm = "cholesky 2x1 b=1700000";
  const FactorPlan p = plan(FactoriseProblem{.n = 1700000, .ranks = 2}, o);
  EXPECT_EQ(p.max_count().flops, Int{850000} * 566667 * 3400001);  // n(n + 1)(2n + 1)/6
  o.algorithm = "cholesky 2x1 b=3100000";
  EXPECT_EQ(testing::refusal([&] { plan(FactoriseProblem{.n = 3100000, .ranks = 16}, o); }),
            "algorithm: a rank has more operations than a 64-bit integer counts, expected another grid");
}

TEST(ExplainFactor, SketchedOthersThatHoldTooMuchDoNotFit) {
  constexpr Int limit = 220000;  // for the best without a limit, and by their sketches for all others but one
  const FactoriseProblem p{.n = 8192, .ranks = 512};
  int too_large = 0;
  const Json others = Json::parse(plan(p, {.memory_words = limit}).json())["others"];
  for (const Json& other : others) {
    if (!other["seconds"].is_null()) continue;
    ++too_large;
    EXPECT_GT(plan(p, {.algorithm = other["algorithm"]}).max_count().peak_words, limit) << other;
  }
  EXPECT_EQ(too_large, 1) << others;
}

TEST(ExplainFactor, SaysTheProblemAndWhyThisPlan) {
  const auto first_line = [](const FactorPlan& p) { return p.explain().substr(0, p.explain().find('\n')); };
  EXPECT_EQ(first_line(plan(FactoriseProblem{.n = 40, .triangle = Uplo::upper, .ranks = 2})),
            "A = Uᴴ·U: 40 x 40, float64, on 2 ranks");
  EXPECT_EQ(
      first_line(plan(SolveProblem{.m = 30, .n = 40, .side = Side::right, .op = Op::transpose, .diag = Diag::unit})),
      "X·Lᵀ = B: L 40 x 40 with ones on its diagonal, X 30 x 40, float64, on 1 rank");
  const auto because = [](const FactorPlan& p) { return Json::parse(p.json())["reason"].get<std::string>(); };
  const std::vector<FactorPlan> plans = some_plans();
  EXPECT_EQ(because(plans[0]).find("the fastest; cholesky "), 0U);
  EXPECT_EQ(because(plans[1]).find("the fewest words on the wire; triangle "), 0U);
  EXPECT_NE(because(plans[3]).find("given layouts included"), std::string::npos);
  EXPECT_NE(plans[3].explain().find("redistributed: A"), std::string::npos) << plans[3].explain();
  EXPECT_EQ(because(plans[4]), "one rank has nothing to exchange");
  EXPECT_EQ(because(plans[6]), "it was asked for");
  const FactoriseProblem small{.n = 20, .ranks = 2};
  EXPECT_EQ(because(plan(small, {.memory_words = 1 << 20})), "no other variant is compared for this problem");
  EXPECT_EQ(because(plan(FactoriseProblem{.n = 300, .ranks = 4}, {.memory_words = 34320})),
            "no other variant fits into the memory");
  constexpr Int enough = 1300000;  // for the best without a limit and for some of the others
  const FactoriseProblem wide{.n = 4096, .ranks = 16};
  int fit = 0;
  const Json others = Json::parse(plan(wide, {.memory_words = enough}).json())["others"];
  for (const Json& other : others) {
    const bool fits = plan(wide, {.algorithm = other["algorithm"]}).max_count().peak_words <= enough;
    EXPECT_EQ(other["seconds"].is_null(), !fits) << other;
    fit += fits ? 1 : 0;
  }
  EXPECT_TRUE(0 < fit && fit < static_cast<int>(others.size())) << others;
  EXPECT_NE(plans[7].explain().find("7 (in a line) = 7 of 8 ranks, 1 idle"), std::string::npos) << plans[7].explain();
  EXPECT_EQ(Json::parse(plans[7].json())["grid"], Json({7}));
  EXPECT_NE(plans[8].explain().find("3 x 2 (in a line x layers) = 6 of 8 ranks, 2 idle"), std::string::npos);
  EXPECT_EQ(Json::parse(plans[8].json())["grid"], Json({3, 2}));
}

TEST(ExplainFactor, SaysThatWindowsAreTimedAsMessages) {
  const auto page = [](const char* transport) {
    return plan(FactoriseProblem{.n = 100, .ranks = 4}, {.transport = transport, .machine = "generic"}).explain();
  };
  EXPECT_NE(page("one-sided").find("as if two-sided messages carried the words"), std::string::npos);
  EXPECT_EQ(page("two-sided").find("as if two-sided"), std::string::npos);
}

TEST(ExplainFactor, OthersAreCountedAndSlowerThanThePlan) {
  const FactorPlan p = plan(FactoriseProblem{.n = 600, .ranks = 12});
  const Json others = Json::parse(p.json())["others"];
  ASSERT_FALSE(others.empty());
  double before = p.predicted_seconds();
  for (const Json& other : others) {
    const bool about = other["why_not"].get<std::string>().find("about ") != std::string::npos;  // not replayed
    EXPECT_NE(other["exact"].get<bool>(), about);
    EXPECT_GE(other["seconds"].get<double>(), before);
    before = other["seconds"];
    Options same;
    same.algorithm = other["algorithm"];
    EXPECT_EQ(other["received_words"], plan(FactoriseProblem{.n = 600, .ranks = 12}, same).max_count().received);
    EXPECT_NE(p.explain().find(other["why_not"].get<std::string>()), std::string::npos);
  }
}

TEST(ExplainFactor, OthersAreSketchedWhereClockingThemTakesLong) {
  for (const char* prefer : {"time", "words"}) {
    Options o;
    o.prefer = prefer;
    const FactorPlan p = plan(FactoriseProblem{.n = 8192, .ranks = 64}, o);
    const Json others = Json::parse(p.json())["others"];
    if (others.front()["exact"]) continue;
    EXPECT_EQ(others.size(), 5U);
    for (const Json& other : others) EXPECT_EQ(other["why_not"].get<std::string>().find("about "), 0U);
    EXPECT_NE(p.explain().find("by its sketch; " + others.front()["algorithm"].get<std::string>()), std::string::npos);
  }
  EXPECT_FALSE(Json::parse(plan(FactoriseProblem{.n = 8192, .ranks = 64}).json())["others"].front()["exact"]);
}

TEST(ExplainFactor, OthersThatAreSlowerAreNamedOfBalancedPlansToo) {
  Options o;
  o.prefer = "balanced";
  const Json json = Json::parse(plan(FactoriseProblem{.n = 300, .ranks = 4}, o).json());
  ASSERT_FALSE(json["others"].empty());
  EXPECT_EQ(json["reason"].get<std::string>().find("the fewest words of those that are as fast; "), 0U);
}

TEST(ExplainFactor, FlopsThatA64BitIntegerDoesNotCountAreRefused) {
  EXPECT_THROW(plan(FactoriseProblem{.n = 10000000, .ranks = 4}), ArgumentError);
  EXPECT_THROW(plan(SolveProblem{.m = 100000000, .n = 10000, .ranks = 2}), ArgumentError);
  const FactorPlan large = plan(FactoriseProblem{.n = 1500000, .ranks = 1});
  EXPECT_NEAR(static_cast<double>(large.count(0).flops), std::pow(1.5e6, 3) / 3, 1e15);
  const std::string page = large.explain(), flops = " 1,125,00";  // in the mean, and at most: columns stay apart
  const std::size_t mean = page.find(flops);
  ASSERT_NE(mean, page.npos) << page;
  EXPECT_NE(page.find(flops, mean + 1), page.npos) << page;
}

TEST(ExplainFactor, BoundsKnowTheMemory) {
  Options o;
  o.memory_words = 100000;
  const Json json = Json::parse(plan(FactoriseProblem{.n = 600, .ranks = 8}, o).json());
  EXPECT_EQ(json["bounds"]["memory_words"], 100000);
  EXPECT_NEAR(json["bounds"]["touched"], 600.0 * 600 * 600 / (3 * std::sqrt(2.0) * 8 * std::sqrt(100000.0)), 1e-6);
  EXPECT_GE(json["ratios"]["touched"], 1);
  const Json solve = Json::parse(plan(SolveProblem{.m = 600, .n = 300, .ranks = 8}, o).json());
  EXPECT_NEAR(solve["bounds"]["touched"], 600.0 * 600 * 300 / (8 * std::sqrt(100000.0)), 1e-6);
  EXPECT_GE(solve["ratios"]["touched"], 1);
}

TEST(ExplainFactor, TouchedWordsAreThoseOfTheRankThatTouchesMost) {
  SolveProblem p{.m = 60, .n = 64, .ranks = 4};
  p.b = Layout::block_cyclic(60, 64, {.mb = 60, .nb = 40, .pr = 1, .pc = 4, .csrc = 1});  // none of it on rank 0
  const FactorPlan made = plan(p);
  const Json json = Json::parse(made.json());
  double most = 0;
  for (Int r = 0; r < 4; ++r)
    most = std::max(most, static_cast<double>(made.count(r).received + callers_words(made.data().wire, r)));
  EXPECT_DOUBLE_EQ(json["ratios"]["touched"].get<double>() * json["bounds"]["touched"].get<double>(), most);
}

TEST(ExplainFactor, JsonOfTheProblemSaysWhatTellsItFromOthers) {
  SolveProblem p{.m = 3, .n = 5, .side = Side::right, .triangle = Uplo::upper, .op = Op::transpose, .diag = Diag::unit};
  p.ranks = 4, p.type = ScalarType::complex64;
  EXPECT_EQ(json_of(p).dump(),
            R"({"operation":"trsm","m":3,"n":5,"side":"right","uplo":"upper","op":"transpose","diag":"unit","ranks":4,)"
            R"("type":"complex64"})");
  EXPECT_EQ(Json::parse(plan(p).json())["problem"], Json(json_of(p)));
  EXPECT_EQ(json_of(FactoriseProblem{.n = 7, .ranks = 2}).dump(),
            R"({"operation":"potrf","n":7,"uplo":"lower","ranks":2,"type":"float64"})");
}

}  // namespace
}  // namespace cairn
