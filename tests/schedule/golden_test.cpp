// Schedules as reviewed. After a change that is meant: CAIRN_UPDATE_GOLDEN=1 and read the diff.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "algorithms/cosma.hpp"
#include "algorithms/registry.hpp"
#include "collectives.hpp"
#include "problem.hpp"
#include "schedule/passes/passes.hpp"
#include "schedule/text.hpp"

namespace cairn {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(std::filesystem::path(CAIRN_SOURCE_DIR) / path).rdbuf();  // an absolute path stays as it is
  return text.str();
}

void expect_golden(const std::string& name, const Schedule& s) {
  const std::filesystem::path path = std::filesystem::path(CAIRN_SOURCE_DIR) / "tests" / "golden" / (name + ".txt");
  const std::string text = print(s, {.sources = false});
  if (std::getenv("CAIRN_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << text;
    ADD_FAILURE() << "written: " << path;
  }
  EXPECT_EQ(text, content(path)) << path << " differs; if so meant, run with CAIRN_UPDATE_GOLDEN=1";
  Schedule same = s;
  for (LabelledStep& step : same.steps) step.source.clear();
  EXPECT_TRUE(parse_schedule(text) == same) << path;
}

using testing::problem;

TEST(Golden, CosmaTwoDimensional) {
  expect_golden("cosma_2d", cosma(problem(64, 64, 64, 4), parse_cosma_cuts("pm2,pn2")));
}

TEST(Golden, CosmaThreeDimensional) {
  expect_golden("cosma_3d", cosma(problem(64, 64, 64, 8), parse_cosma_cuts("pm2,pn2,pk2")));
}

TEST(Golden, Cholesky) {
  FactoriseProblem p;
  p.n = 16, p.ranks = 4;
  expect_golden("cholesky", make_algorithm(p, "cholesky 2x2 b=4"));
}

TEST(Golden, CholeskyInLayers) {
  FactoriseProblem p;
  p.n = 16, p.ranks = 8;
  expect_golden("cholesky_layers", make_algorithm(p, "cholesky 2x2x2 b=4"));
}

TEST(Golden, Cholesky25d) {
  FactoriseProblem p;
  p.n = 24, p.ranks = 8;
  expect_golden("cholesky25d", make_algorithm(p, "cholesky25d 2x2x2 b=2 f=3"));
}

TEST(Golden, Triangle) {
  FactoriseProblem p;
  p.n = 16, p.ranks = 7;
  expect_golden("triangle", make_algorithm(p, "triangle 7 b=2"));
}

TEST(Golden, Trsm) {
  SolveProblem p;
  p.m = 8, p.n = 12, p.side = Side::right, p.triangle = Uplo::upper, p.ranks = 4;
  expect_golden("trsm", make_algorithm(p, "trsm 2x2 b=4"));
}

TEST(Golden, Trsm25d) {
  SolveProblem p;
  p.m = 16, p.n = 12, p.side = Side::right, p.triangle = Uplo::upper, p.ranks = 8;
  expect_golden("trsm25d", make_algorithm(p, "trsm25d 2x2x2 b=4"));
}

TEST(Golden, TrsmInLayersFromTheLeft) {
  SolveProblem p;
  p.m = 16, p.n = 8, p.op = Op::adjoint, p.diag = Diag::unit, p.ranks = 8;
  expect_golden("trsm_layers", make_algorithm(p, "trsm 2x2x2 b=4"));
}

TEST(Golden, TrsmLazy) {
  SolveProblem p;
  p.m = 8, p.n = 12, p.side = Side::right, p.op = Op::transpose, p.ranks = 4;
  expect_golden("trsm_lazy", make_algorithm(p, "trsm_lazy 2x2 b=4"));
}

TEST(Golden, IsWhatTheGuideShows) {
  const std::string guide = content("docs/how_to_read_a_schedule.md");
  EXPECT_NE(guide.find("```\n" + content("tests/golden/cosma_3d.txt") + "```\n"), guide.npos);
}

TEST(Golden, GuideToAddingAnAlgorithmShowsTheSource) {
  const std::string guide = content("docs/add_an_algorithm.md"), fence = "```cpp\n";
  std::string sources;
  for (const char* file : {"src/algorithms/summa.cpp", "tests/include/rows_algorithm.hpp"}) sources += content(file);
  int shown = 0;
  for (std::size_t at = guide.find(fence); at != guide.npos; at = guide.find(fence, at), ++shown) {
    at += fence.size();
    const std::string code = guide.substr(at, guide.find("```", at) - at);
    EXPECT_NE(sources.find(code), sources.npos) << code;
  }
  EXPECT_EQ(shown, 2);
}

TEST(Golden, CosmaInRounds) {
  expect_golden("cosma_rounds", cosma(problem(100, 40, 90, 6), parse_cosma_cuts("pm3,pk2,sk3")));
}

// Rounds so thin that ranks would have no part of some.
TEST(Golden, CosmaInThinRounds) {
  expect_golden("cosma_dealt", cosma(problem(10, 7, 13, 6), parse_cosma_cuts("pm3,pn2,sk6")));
}

TEST(Golden, CosmaInRoundsOfColumns) {
  expect_golden("cosma_columns", cosma(problem(10, 12, 13, 6), parse_cosma_cuts("pm3,pk2,sn3")));
}

TEST(Golden, CosmaFromAndToBlockCyclicLayouts) {
  GemmProblem p = problem(48, 36, 24, 6);
  p.op_a = Op::transpose;
  p.a = Layout::block_cyclic(24, 48, {.mb = 4, .nb = 4, .pr = 2, .pc = 3});
  p.b = Layout::block_cyclic(24, 36, {.mb = 4, .nb = 4, .pr = 2, .pc = 3, .csrc = 1});
  p.c = Layout::block_cyclic(48, 36, {.mb = 4, .nb = 4, .pr = 2, .pc = 3});
  expect_golden("cosma_block_cyclic", cosma(p, parse_cosma_cuts("pm2,pn2")));
}

TEST(Golden, Summa) { expect_golden("summa", make_algorithm(problem(64, 64, 64, 4), "summa 2x2 b=16").schedule); }

TEST(Golden, SummaWhereNothingDivides) {
  expect_golden("summa_uneven", make_algorithm(problem(10, 9, 11, 7), "summa 2x3 b=3").schedule);
}

TEST(Golden, SummaStationaryA) {
  expect_golden("summa_stationary_a", make_algorithm(problem(64, 16, 64, 6), "summa 3x2 b=4 stationary=a").schedule);
}

TEST(Golden, SummaStationaryBInScalapacksLayouts) {
  GemmProblem p = problem(12, 36, 24, 6);
  p.b = Layout::block_cyclic(24, 36, {.mb = 4, .nb = 4, .pr = 2, .pc = 3});
  p.c = Layout::block_cyclic(12, 36, {.mb = 4, .nb = 4, .pr = 2, .pc = 3});
  expect_golden("summa_stationary_b_cyclic", make_algorithm(p, "summa 2x3 b=4 stationary=b cyclic").schedule);
}

TEST(Golden, SummaHeld) {
  GemmProblem p = problem(24, 20, 28, 6);
  p.a = Layout::block_cyclic(24, 28, {.mb = 4, .nb = 5, .pr = 2, .pc = 3});
  p.b = Layout::block_cyclic(28, 20, {.mb = 3, .nb = 2, .pr = 2, .pc = 3, .rsrc = 1});
  p.c = Layout::block_cyclic(24, 20, {.mb = 4, .nb = 4, .pr = 2, .pc = 3});
  expect_golden("summa_held", make_algorithm(p, "summa 2x3 b=16 held").schedule);
}

TEST(Golden, SummaHeldInTurns) {
  GemmProblem p = problem(24, 20, 28, 4);
  p.a = Layout::block_cyclic(24, 28, {.mb = 4, .nb = 3, .pr = 2, .pc = 2});
  p.b = Layout::block_cyclic(28, 20, {.mb = 3, .nb = 2, .pr = 2, .pc = 2, .rsrc = 1});
  p.c = Layout::block_cyclic(24, 20, {.mb = 4, .nb = 2, .pr = 2, .pc = 2});
  expect_golden("summa_held_in_turns", make_algorithm(p, "summa 2x2 b=14 held").schedule);
}

TEST(Golden, Hsumma) {
  expect_golden("hsumma", make_algorithm(problem(64, 64, 64, 16), "hsumma 4x4 groups=2x2 M=16 b=8").schedule);
}

TEST(Golden, HsummaBlockCyclic) {
  expect_golden("hsumma_cyclic",
                make_algorithm(problem(8, 10, 12, 8), "hsumma 2x4 groups=1x2 M=4 b=3 cyclic").schedule);
}

TEST(Golden, Cannon) { expect_golden("cannon", make_algorithm(problem(64, 64, 64, 4), "cannon 2x2").schedule); }

TEST(Golden, CannonInLayers) {
  expect_golden("cannon_layers", make_algorithm(problem(64, 64, 64, 32), "cannon 4x4x2").schedule);
}

TEST(Golden, CannonOnAVirtualGrid) {
  expect_golden("cannon_virtual", make_algorithm(problem(10, 9, 23, 7), "cannon 2x3").schedule);
}

TEST(Golden, Summa25d) {
  expect_golden("summa25d", make_algorithm(problem(16, 16, 16, 8), "summa25d 2x2x2 b=4").schedule);
}

TEST(Golden, Agarwal3d) {
  expect_golden("agarwal3d", make_algorithm(problem(64, 64, 64, 8), "agarwal3d 2x2x2").schedule);
}

TEST(Golden, Fetch25d) {
  expect_golden("fetch25d", make_algorithm(problem(64, 64, 64, 16), "fetch25d 4x4 layers=2x2").schedule);
}

TEST(Golden, CarmaInHalves) {
  expect_golden("carma", make_algorithm(problem(64, 64, 64, 8), "carma 8 dfs=2").schedule);
}

TEST(Golden, CollectivesExpanded) {
  const auto bcast = [](Way way, Int segments) {
    return expand_collectives(testing::bcast_schedule(6, 1, {4, 12}, Order::col, {way, segments}));
  };
  expect_golden("bcast_near", bcast(Way::near, 0));
  expect_golden("bcast_chain", bcast(Way::chain, 4));
  expect_golden("bcast_scatter_allgather", bcast(Way::scatter_allgather, 0));
  expect_golden("allgather_bruck",
                expand_collectives(testing::allgather_schedule(6, {4, 12}, Order::col, {Way::bruck, 0})));
  const How halving{Way::halving, 0};
  expect_golden("reduce_scatter_halving",
                expand_collectives(testing::sum_schedule(6, {}, {4, 12}, 6, Order::col, Update::beta, halving)));
}

}  // namespace
}  // namespace cairn
