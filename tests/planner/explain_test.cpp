// What `cairn plan` says, and that text and JSON say the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "algorithms/registry.hpp"
#include "cairn/error.hpp"
#include "cairn/plan.hpp"
#include "model/bounds.hpp"
#include "narrow_lines.hpp"
#include "planner/plan_data.hpp"
#include "planner/reason.hpp"
#include "problem.hpp"

namespace cairn {
namespace {

using Json = nlohmann::json;

using testing::problem;

TEST(Explain, SaysWhatThePlanCounts) {
  Options words;
  words.prefer = "words";
  const std::string text = plan(problem(4096, 4096, 4096, 8), words).explain();
  for (const char* said : {"4096 x 4096 x 4096", "2 x 2 x 2", "0 idle", "because", "words received", "6,291,456",
                           "1.000", "utilisation", "100.00 %", "own part of A", "gathered panels", "partial sums of C",
                           "peak", "computation", "communication", "in all"})
    EXPECT_NE(text.find(said), text.npos) << said << " in\n" << text;
}

TEST(Explain, LinesAreNarrowAndHaveNoTrailingBlanks) {
  for (const GemmProblem& p : {problem(4096, 4096, 4096, 8), problem(0, 0, 0, 1), problem(100003, 7, 100019, 20000)})
    testing::expect_narrow_lines(plan(p).explain());
}

TEST(Explain, JsonHasItsKeys) {
  const Plan p = plan(problem(1000, 900, 800, 12));
  const Json j = Json::parse(p.json());
  EXPECT_EQ(j["algorithm"], p.algorithm());
  EXPECT_EQ(j["grid"], Json(p.grid()));
  EXPECT_EQ(j["rounds"], p.rounds());
  EXPECT_EQ(j["received_words"]["max"], p.max_count().received);
  EXPECT_EQ(j["wire_words"]["max"], p.max_count().wire_words);
  EXPECT_EQ(j["messages"]["max"], p.max_count().messages);
  EXPECT_EQ(j["peak_words"]["max"], p.max_count().peak_words);
  EXPECT_EQ(j["predicted_seconds"], p.predicted_seconds());
  EXPECT_EQ(j["bounds"]["tight"], received_bound(1000, 900, 800, 12));
  for (const char* key : {"sequential", "theorem2"}) EXPECT_TRUE(j["bounds"][key].is_number());
  double received = 0;
  for (Int r = 0; r < 12; ++r) received += static_cast<double>(p.count(r).received);
  EXPECT_DOUBLE_EQ(j["received_words"]["mean"].get<double>(), received / 12);
}

// Of three matrices in uneven columns: whoever owns most receives little.
TEST(Explain, TouchedWordsAreThoseOfTheRankThatTouchesMost) {
  for (Int first : {0, 1}) {
    GemmProblem p = problem(64, 64, 64, 4);
    p.a = p.b = p.c = Layout::block_cyclic(64, 64, {.mb = 64, .nb = 40, .pr = 1, .pc = 4, .csrc = first});
    const Plan made = plan(p);
    double most = 0;
    for (Int r = 0; r < 4; ++r) most = std::max(most, static_cast<double>(made.count(r).received + 3 * p.a->words(r)));
    const PlanBounds b = plan_bounds(made);
    EXPECT_DOUBLE_EQ(b.theorem2_ratio * b.theorem2, most);
  }
}

TEST(Explain, MemoryPartsAddUp) {
  for (const char* cuts : {"", "cosma pm2,pn2,pk2", "cosma pm2,pn3,pk2,sk5", "cosma pk12", "cosma pm3,pk4,sm2,sk3"})
    for (bool cyclic : {false, true}) {
      GemmProblem p = problem(120, 130, 140, 12);
      if (cyclic) p.a = Layout::block_cyclic(120, 140, {16, 16, 3, 4});
      Options o;
      o.algorithm = cuts;
      const Plan made = plan(p, o);
      const MemoryParts m = memory_parts(made.data());
      EXPECT_EQ(m.own_a + m.own_b + m.own_c + m.copies + m.panels + m.partial + m.buffers + m.gaps,
                made.max_count().peak_words);
      EXPECT_GE(m.gaps, 0) << cuts;
    }
}

TEST(Explain, BroadcastPanelsAreCountedAsPanels) {
  Options o;
  o.algorithm = "summa 2x4 b=64";
  o.look_ahead = 0;
  const MemoryParts m = memory_parts(plan(problem(256, 256, 256, 8), o).data());
  EXPECT_EQ(m.panels, 64 * (128 + 64));
  EXPECT_EQ(m.partial, 0);
}

TEST(Explain, NamesTheBestOfEveryOtherAlgorithmAndWhyItLost) {
  const Plan p = plan(problem(1000, 900, 800, 12));
  const std::string text = p.explain();
  const Json others = Json::parse(p.json())["others"];
  ASSERT_EQ(others.size(), 6U);
  double before = 0;
  for (const Json& other : others) {
    const auto algorithm = other["algorithm"].get<std::string>();
    EXPECT_NE(text.find(algorithm), text.npos) << algorithm;
    EXPECT_NE(text.find(other["why_not"].get<std::string>()), text.npos) << algorithm;
    EXPECT_GE(other["seconds"].get<double>(), before) << algorithm;
    before = other["seconds"].get<double>();
  }
  EXPECT_GE(others[0]["seconds"].get<double>(), p.predicted_seconds());
}

// They were compared without the limit, which the plan keeps.
TEST(Explain, OthersThatDoNotFitHaveNoFigures) {
  Options o;
  o.memory_words = 12000000;
  const Plan p = plan(problem(4096, 4096, 4096, 8), o);
  const auto others_of = [](const Plan& x) { return Json::parse(x.json())["others"]; };
  int fit = 0;
  for (const Json others = others_of(p); const Json& other : others) {
    Options by;
    by.algorithm = other["algorithm"];
    const bool fits = plan(p.problem(), by).max_count().peak_words <= *o.memory_words;
    EXPECT_EQ(other["seconds"].is_null(), !fits) << other;
    EXPECT_EQ(other["why_not"] == "does not fit", !fits) << other;
    fit += fits ? 1 : 0;
  }
  EXPECT_GT(fit, 0);
  const Plan empty = plan(problem(0, 2, 1, 2), {.memory_words = 4, .machine = "exascale"});  // takes no time
  EXPECT_EQ(others_of(empty).size(), 6U);
  for (const Json others = others_of(empty); const Json& other : others) EXPECT_EQ(other["seconds"], 0) << other;
}

TEST(Explain, WhatIsClockedOfOthersIsNearlyTheirBest) {
  for (const GemmProblem& p :
       {problem(2131, 1132, 133, 32), problem(2042, 2648, 1484, 6), problem(4096, 4096, 4096, 8)}) {
    const Plan chosen = plan(p);
    for (const RunnerUp& other : chosen.data().others) {
      Options by;
      by.algorithm = algorithm_name(other.algorithm);
      const double seconds = plan(p, by).predicted_seconds();
      EXPECT_LE(chosen.predicted_seconds(), seconds) << other.algorithm;
      if (other.exact) {
        EXPECT_LE(other.seconds, 1.25 * seconds) << other.algorithm;
      }
    }
  }
}

TEST(Explain, NumbersHaveAllTheirDigitsAndNoneOfRounding) {
  EXPECT_NE(plan(problem(1000003, 1000001, 1000001, 1)).explain().find("2,000,010,000,014,000,006"), std::string::npos);
  const Options balanced{.algorithm = "cosma", .prefer = "balanced"};
  EXPECT_EQ(plan(problem(3, 31, 179, 24), balanced).explain().find("e-1"), std::string::npos);
}

TEST(Explain, SaysOfNoShortScheduleThatItIsTooLongToBeClocked) {
  Options balanced;
  balanced.prefer = "balanced";
  for (const GemmProblem& p : {problem(256, 7, 64, 6), problem(997, 10007, 5, 3)}) {
    const Json others = Json::parse(plan(p, balanced).json())["others"];
    for (const Json& other : others) {
      EXPECT_EQ(other["why_not"].get<std::string>().find("its steps are too many"), std::string::npos) << other;
      EXPECT_NE(other["why_not"].get<std::string>(), "as many words") << other;  // it lost for another reason
    }
  }
}

TEST(Explain, KnowsHowFewWordsCarmaReceivesOfAThinProduct) {
  const GemmProblem thin = problem(997, 1, 100003, 9);
  const Json others = Json::parse(plan(thin).json())["others"];
  const auto carma = std::ranges::find_if(
      others, [](const Json& other) { return other["algorithm"].get<std::string>().starts_with("carma"); });
  ASSERT_NE(carma, others.end());
  Options named;
  named.algorithm = (*carma)["algorithm"];
  const auto received = static_cast<double>(plan(thin, named).max_count().received);
  EXPECT_NEAR((*carma)["received_words"].get<double>(), received, 0.01 * received);
}

TEST(Explain, SaysWhichKernelsRatesWereAssumed) {
  const GemmProblem p = problem(3000, 3000, 3000, 8);
  Options o;
  const Plan own = plan(p, o);
  EXPECT_EQ(own.explain().find("kernels"), std::string::npos);
  EXPECT_FALSE(Json::parse(own.json()).contains("kernels"));
  o.kernels = "skylakex";
  const Plan faster = plan(p, o);
  EXPECT_NE(faster.explain().find("as fast as OpenBLAS's SkylakeX kernels are"), std::string::npos);
  EXPECT_EQ(Json::parse(faster.json())["kernels"], "SkylakeX");
  EXPECT_LT(faster.predicted_seconds(), own.predicted_seconds());
  o.kernels = "Haswell";
  EXPECT_EQ(plan(p, o).predicted_seconds(), own.predicted_seconds());
  o.machine = "piz-daint";  // is what it is, whatever runs here
  EXPECT_EQ(plan(p, o).explain().find("kernels"), std::string::npos);
  o.kernels = "Skylark";
  EXPECT_THROW(plan(p, o), ArgumentError);
}

TEST(Explain, GivesAReasonForEveryKindOfChoice) {
  const auto because = [](const GemmProblem& p, const Options& o) { return reason(plan(p, o).data()); };
  Options o;
  EXPECT_EQ(because(problem(100, 100, 100, 1), o), "one rank has nothing to exchange");
  EXPECT_NE(because(problem(4160, 4160, 4160, 65), o).find("of all 65 ranks"), std::string::npos);
  o.algorithm = "cosma";
  EXPECT_NE(because(problem(4096, 4096, 4096, 8), o).find("the next best, "), std::string::npos);
  o.prefer = "balanced";
  EXPECT_NE(because(problem(4096, 4096, 4096, 11), o).find("words are preferred: the fastest, "), std::string::npos);
  EXPECT_NE(because(problem(4096, 4096, 4096, 8), o).find("the next best, "), std::string::npos);
  o.prefer = "words";
  EXPECT_EQ(because(problem(4096, 4096, 4096, 8), o).find("the fewest words; the next best, "), 0U);
  EXPECT_EQ(because(problem(4096, 4096, 4096, 11), o).find("the fewest words; the best grid of all 11 ranks, "), 0U);
  o = {};
  o.memory_words = 170000;
  o.algorithm = "cosma";
  EXPECT_NE(because(problem(1024, 1024, 4096, 64), o).find("fits into the memory"), std::string::npos);
  // A limit that the best plan keeps changes nothing.
  const Plan best = plan(problem(10000, 500, 2000, 64));
  o = {};
  o.memory_words = best.max_count().peak_words;
  EXPECT_EQ(plan(problem(10000, 500, 2000, 64), o).algorithm(), best.algorithm());
  EXPECT_EQ(because(problem(10000, 500, 2000, 64), o).find("fits into the memory"), std::string::npos);
  o = {};
  o.machine = "hopper", o.memory_words = 296754;  // where agarwal3d does not fit, which comes last
  EXPECT_EQ(because(problem(226, 8825, 190, 16), o).find("the fastest; cosma pn16: "), 0U);
  o = {};
  o.algorithm = "cosma pm2";
  EXPECT_EQ(because(problem(100, 100, 100, 2), o), "it was asked for");
}

}  // namespace
}  // namespace cairn
