// Plans that are made again from their JSON.
#include "cairn/plan_json.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

#include "cairn/error.hpp"
#include "problem.hpp"

namespace cairn {
namespace {

using Json = nlohmann::ordered_json;

Layout in_any_blocks(Int m, Int n) {
  return Layout::arbitrary(m, n, 4, {{0, m / 3, m}, {0, n / 2, n}, {3, 1, 0, 2}, true}, Order::row);
}

std::vector<GemmProblem> products() {
  GemmProblem held = testing::problem(400, 500, 600, 4);
  held.type = ScalarType::complex64, held.op_a = Op::adjoint;
  held.a = Layout::block_cyclic(600, 400, {.mb = 16, .nb = 32, .pr = 2, .pc = 2, .rsrc = 1, .row_major = false});
  held.c = in_any_blocks(400, 500);
  return {testing::problem(400, 500, 600, 8), testing::problem(0, 5, 3, 1), held};
}

TEST(PlanJson, MakesTheSamePlanAgain) {
  for (const GemmProblem& p : products())
    for (const Options& o : {Options{}, Options{.memory_words = 600'000, .prefer = "words", .look_ahead = 0},
                             Options{.max_idle = 0.5, .transport = "one-sided", .ranks_per_node = 2},
                             Options{.collectives = "allgather=ring", .machine = "piz-daint"},
                             Options{.verify_counts = true, .trace = "trace.json"}}) {
      const Plan first = plan(p, o);
      const AnyPlan again = plan_from_json(first.json());
      ASSERT_TRUE(std::holds_alternative<Plan>(again));
      const Plan& second = std::get<Plan>(again);
      EXPECT_EQ(second.json(), first.json());
      EXPECT_EQ(second.print(), first.print());
      EXPECT_EQ(second.layout_a(), first.layout_a());
      EXPECT_EQ(second.layout_c(), first.layout_c());
      EXPECT_EQ(second.options().verify_counts, o.verify_counts);
      EXPECT_EQ(second.options().trace, o.trace);
    }
}

TEST(PlanJson, MakesFactorisationsAndSolvesAgain) {
  FactoriseProblem held{.n = 300, .triangle = Uplo::upper, .ranks = 4};
  held.a = in_any_blocks(300, 300);
  SolveProblem solve{.m = 200, .n = 300, .side = Side::right, .op = Op::adjoint, .diag = Diag::unit, .ranks = 6};
  solve.b = Layout::row_blocks(200, 300, 6);
  for (const FactorPlan& first : {plan(held), plan(FactoriseProblem{.n = 600, .ranks = 8}), plan(solve)}) {
    const AnyPlan again = plan_from_json(first.json());
    ASSERT_TRUE(std::holds_alternative<FactorPlan>(again));
    EXPECT_EQ(std::get<FactorPlan>(again).json(), first.json());
    EXPECT_EQ(std::get<FactorPlan>(again).print(), first.print());
  }
}

TEST(PlanJson, MakesProductsOfBlockSparseMatricesAgain) {
  const BlockProblem square{.m = {60, 23}, .n = {60, 23}, .k = {60, 23}, .occupancy_a = 0.1, .occupancy_b = 0.2};
  BlockProblem asked{.m = {40, 5}, .n = {30, 6}, .k = {50, 7}, .occupancy_a = 0.5, .occupancy_b = 0.4};
  asked.occupancy_c = 0.25, asked.ranks = 16, asked.type = ScalarType::complex64, asked.filtered = true;
  asked.seed = std::numeric_limits<std::uint64_t>::max();
  for (const BlockProblem& p : {square, asked})
    for (const Options& o :
         {Options{}, Options{.memory_words = 6'000'000, .prefer = "words"}, Options{.machine = "piz-daint"}}) {
      const BlockPlan first = plan(p, o);
      const AnyPlan again = plan_from_json(first.json());
      ASSERT_TRUE(std::holds_alternative<BlockPlan>(again));
      EXPECT_EQ(std::get<BlockPlan>(again).json(), first.json());
      EXPECT_EQ(std::get<BlockPlan>(again).print(), first.print());
    }
  Json json = Json::parse(plan(asked).json());
  json["algorithm"] = "fetch25d 4x4";
  EXPECT_EQ(std::get<BlockPlan>(plan_from_json(json.dump())).algorithm(), "fetch25d 4x4");
}

TEST(PlanJson, PlansTheAlgorithmThatWasChosenWhereAnotherWouldBeNow) {
  Json json = Json::parse(plan(testing::problem(400, 500, 600, 4)).json());
  json["algorithm"] = "summa 2x2 b=150", json["transport"] = "two-sided", json["look_ahead"] = 1, json["rounds"] = 4;
  EXPECT_EQ(std::get<Plan>(plan_from_json(json.dump())).algorithm(), "summa 2x2 b=150");
  const Json of_summa = Json::parse(plan(testing::problem(1000, 1000, 1000, 16), {.algorithm = "summa"}).json());
  for (int depth : {0, 1}) {
    json = of_summa, json["look_ahead"] = depth;
    EXPECT_EQ(Json::parse(std::get<Plan>(plan_from_json(json.dump())).json())["look_ahead"], depth);
  }
}

std::string complaint(const std::string& spoiled) {
  try {
    plan_from_json(spoiled);
    return "none";
  } catch (const ArgumentError& e) {
    return e.what();
  }
}

TEST(PlanJson, RefusesNumbersThatAreNotWholeOrTooLargeByTheirKey) {
  const Json right = Json::parse(plan(testing::problem(40, 50, 60, 4), {.look_ahead = 1}).json());
  for (const char* m : {"1e30", "64.5", "9223372036854775808", "true", "-9223372036854775809"}) {
    Json json = right;
    json["problem"]["m"] = Json::parse(m);
    EXPECT_EQ(complaint(json.dump()).find("plan: key 'm' is "), 0U) << m << ": " << complaint(json.dump());
  }
  Json json = right;
  json["problem"]["ranks"] = std::uint64_t{1} << 63U;
  EXPECT_EQ(complaint(json.dump()),
            "plan: key 'ranks' is 9223372036854775808, expected a whole number from -9223372036854775808 to "
            "9223372036854775807");
  json = right, json["asked"]["look_ahead"] = Int{1} << 32U;
  EXPECT_EQ(complaint(json.dump()).find("plan: key 'look_ahead' is 4294967296"), 0U);
  json = right, json["asked"]["max_idle"] = 0;  // a number like any other
  EXPECT_EQ(complaint(json.dump()), "none");
}

TEST(PlanJson, SaysWhichKeyIsMissingOrOfAnotherKind) {
  const std::string text = plan(testing::problem(40, 50, 60, 4)).json();
  EXPECT_EQ(complaint("{"), "plan: the text is no JSON");
  EXPECT_NE(complaint("[]").find("no key 'problem'"), std::string::npos);
  for (const char* key : {"problem", "asked", "memory_words", "algorithm", "layouts"}) {
    Json json = Json::parse(text);
    json.erase(key);
    EXPECT_NE(complaint(json.dump()).find(std::string("'") + key + "'"), std::string::npos) << key;
    json[key] = Json::array();
    EXPECT_NE(complaint(json.dump()), "none") << key;
  }
  const auto with = [&](const char* object, const char* key, const Json& value) {
    Json json = Json::parse(text);
    json[object][key] = value;
    return complaint(json.dump());
  };
  Json layouts = Json::parse(text);
  layouts["layouts"] = "x";
  EXPECT_EQ(complaint(layouts.dump()).find("plan: key 'layouts': line 1, column 1: expected"), 0U);
  EXPECT_EQ(with("problem", "type", "int8"),
            "plan: key 'type' is \"int8\", expected one of float32, float64, complex64, complex128");
  EXPECT_EQ(with("asked", "prefer", 3), "plan: key 'prefer' is 3, expected a text");
  EXPECT_EQ(with("asked", "verify_counts", 1), "plan: key 'verify_counts' is 1, expected true or false");
  EXPECT_EQ(with("asked", "max_idle", "0.5"), "plan: key 'max_idle' is \"0.5\", expected a number");
  EXPECT_EQ(complaint(R"({"problem": {"m": 3, "n": 4, "m": 5}})"), "plan: key 'm' appears twice");
}

TEST(PlanJson, RefusesWhatNoPlanOfThatAlgorithmHas) {
  const auto with = [&](const std::string& text, const char* key, const Json& value) {
    Json json = Json::parse(text);
    json[key] = value;
    return complaint(json.dump());
  };
  const std::string product =
      plan(testing::problem(400, 500, 600, 4), {.algorithm = "summa 2x2 b=200", .look_ahead = 1}).json();
  EXPECT_EQ(with(product, "rounds", 1000), "plan: key 'rounds' is 1000, expected 4");
  const BlockProblem blocks{.m = {60, 23}, .n = {60, 23}, .k = {60, 23}, .occupancy_a = 0.1, .occupancy_b = 0.2};
  for (const std::string& text : {product, plan(FactoriseProblem{.n = 400, .ranks = 4}).json(), plan(blocks).json()})
    EXPECT_EQ(with(text, "transport", ""),
              "plan: key 'transport' is \"\", expected one of two-sided, one-sided, node-shared");
}

TEST(PlanJson, FactorisationsKeepTheirTransport) {
  Json json = Json::parse(plan(FactoriseProblem{.n = 400, .ranks = 4}).json());
  json["transport"] = "one-sided";
  EXPECT_EQ(Json::parse(std::get<FactorPlan>(plan_from_json(json.dump())).json())["transport"], "one-sided");
}

TEST(PlanJson, PlansForTheMachineThatStoodWhereItWasMade) {
  ASSERT_EQ(setenv("CAIRN_MACHINE", "hopper", 1), 0);
  const std::string text = plan(FactoriseProblem{.n = 1000, .ranks = 12}).json();
  ASSERT_EQ(unsetenv("CAIRN_MACHINE"), 0);
  Json json = Json::parse(text);
  const FactorPlan again = std::get<FactorPlan>(plan_from_json(text));
  EXPECT_EQ(again.predicted_seconds(), json["predicted_seconds"].get<double>());
  EXPECT_EQ(Json::parse(again.json())["machine"], "hopper");
  json["machine"] = "two nodes";
  EXPECT_EQ(complaint(json.dump()).find("plan: key 'machine' is \"two nodes\", expected generic, which stands here"),
            0U);
}

}  // namespace
}  // namespace cairn
