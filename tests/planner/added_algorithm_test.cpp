// An algorithm in one file: registered here, it is parsed, planned, explained, checked, counted and run by the
// reference like any other; over MPI in tests/mpi/contract_test.cpp.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cairn/error.hpp"
#include "contract.hpp"
#include "planner/plan_data.hpp"
#include "problem.hpp"
#include "refusal.hpp"
#include "rows_algorithm.hpp"

namespace cairn {
namespace {

using testing::problem;

class AddedAlgorithm : public ::testing::Test {
 protected:
  const Registration registration{rows::rows_algorithm()};
  const GemmProblem tall = problem(10000, 40, 60, 8);
};

Options asked(std::string_view algorithm) {
  Options o;
  o.algorithm = algorithm;
  return o;
}

TEST_F(AddedAlgorithm, IsParsedAndRefusesWhatIsNotItsOwn) {
  EXPECT_EQ(make_algorithm(tall, "rows 4").schedule.algorithm, "rows 4");
  EXPECT_EQ(algorithm_names().back(), "rows");
  const auto refusal_of = [&](const char* spelling) {
    return testing::refusal([&] { make_algorithm(tall, spelling); });
  };
  EXPECT_NE(refusal_of("rows 2x2").find("as in rows 8"), std::string::npos);
  EXPECT_EQ(refusal_of("rows 9"), "rows 9: the grid needs 9 ranks, expected at most 8");
  EXPECT_NE(refusal_of("columns 2").find("fetch25d, rows"), std::string::npos);
}

TEST_F(AddedAlgorithm, IsChosenWhereItIsTheFastest) {
  const Plan p = plan(tall);
  EXPECT_EQ(p.algorithm(), "rows 8");
  EXPECT_EQ(p.max_count().received, 0);
  EXPECT_EQ(plan(tall, {.prefer = "words"}).algorithm(), "rows 8");
}

TEST_F(AddedAlgorithm, IsExplainedWhereItIsNot) {
  const GemmProblem square = problem(64, 4096, 4096, 64);
  const Plan p = plan(square);
  EXPECT_NE(p.algorithm(), "rows 64");
  EXPECT_NE(p.explain().find("\n  rows "), std::string::npos) << p.explain();
  const auto others = nlohmann::json::parse(p.json())["others"];
  EXPECT_TRUE(std::any_of(others.begin(), others.end(), [](const auto& other) {
    return other["algorithm"].template get<std::string>().starts_with("rows ");
  }));
}

TEST_F(AddedAlgorithm, IsPlannedByItsNameAndWithinMemory) {
  EXPECT_EQ(plan(tall, asked("rows")).algorithm(), "rows 8");
  Options o = asked("rows");
  o.memory_words = 10;
  EXPECT_NE(
      testing::refusal<MemoryError>([&] { plan(tall, o); }).find("too few for any plan of rows, expected at least"),
      std::string::npos);
  const GemmProblem other = problem(9000, 30, 50, 8);
  EXPECT_EQ(plan_alike(plan(tall, asked("rows")), other).algorithm(), "rows 8");
}

TEST_F(AddedAlgorithm, IsCheckedCountedAndRun) {
  for (const testing::Shape& shape : testing::shapes)
    for (Int ranks : {1, 3, 8}) {
      const GemmProblem p = problem(shape, ranks);
      const Schedule s = make_algorithm(p, fmt::format("rows {}", ranks)).schedule;
      testing::expect_passes_the_checker(s);
      testing::expect_computes_the_product(p, s);
      EXPECT_EQ(count_all(s, expand_collectives(s)).max.received, 0);
    }
}

TEST_F(AddedAlgorithm, TakesTheCallersLayouts) {
  GemmProblem p = problem(48, 36, 24, 6);
  p.b = Layout::block_cyclic(24, 36, {.mb = 4, .nb = 4, .pr = 2, .pc = 3});
  testing::expect_computes_the_product(p, make_algorithm(p, "rows 6").schedule);
}

TEST(Registration, EndsWithItsObject) {
  { const Registration registration{rows::rows_algorithm()}; }
  EXPECT_EQ(algorithm_names().back(), "fetch25d");
}

}  // namespace
}  // namespace cairn
