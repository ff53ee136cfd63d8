#include "planner/choose_for_all.hpp"

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "interpret/clock.hpp"
#include "interpret/replay/replay.hpp"
#include "planner/choose_collectives.hpp"
#include "planner/plan_factor.hpp"
#include "schedule/passes/expand.hpp"
#include "schedule/passes/passes.hpp"
#include "schedule/runs.hpp"

namespace cairn {
namespace {

double seconds(const Machine& machine, const Schedule& s) {
  return clock(expand_collectives(s), machine, ScalarType::float64).seconds;
}

// Message by message.
double replayed(const Machine& machine, const Schedule& s) {
  return replay(expand_collectives(s), machine, ScalarType::float64).last.seconds;
}

template <class P>
Schedule chosen_each_for_itself(const Machine& machine, const P& problem, const std::string& spelling) {
  CollectiveChooser chooser(machine, problem.type, {});
  return chooser.choose(look_ahead(make_algorithm(problem, spelling), 1));
}

// What is not better by the precision of the figures changes nothing.
template <class P>
void expect_the_fastest(const P& problem, const std::string& spelling) {
  for (const char* name : {"generic", "hopper"}) {
    const Machine machine = find_machine(name);
    const Schedule made = chosen_each_for_itself(machine, problem, spelling);
    const std::optional<How> found = fastest_for_all(Collective::bcast, machine, problem.type, made);
    const double best = seconds(machine, found ? all_by(Collective::bcast, *found, made) : made);
    EXPECT_TRUE(!found || best < (1 - machine.precision) * seconds(machine, made)) << name;
    for (How how : {How{Way::chain, 8}, How{Way::binomial, 0}})
      EXPECT_LE((1 - machine.precision) * best, seconds(machine, all_by(Collective::bcast, how, made)) * (1 + 1e-12))
          << name << " " << spelling << " " << text_of(how);
  }
}

TEST(ChooseForAll, NoWayForAllIsFaster) {
  expect_the_fastest(FactoriseProblem{.n = 1000, .ranks = 12}, "cholesky 3x4 b=32");
  expect_the_fastest(FactoriseProblem{.n = 1000, .triangle = Uplo::upper, .ranks = 16}, "cholesky 4x4 b=32");
  expect_the_fastest(SolveProblem{.m = 1000, .n = 500, .ranks = 16}, "trsm 4x4 b=64");
}

// On a long line the next panel sets out before the last rank has this one: as clocked for single broadcasts it takes
// half as long again.
TEST(ChooseForAll, PanelsThatFollowOneAnotherGoByChains) {
  const Machine machine = find_machine("generic");
  const Schedule made =
      chosen_each_for_itself(machine, FactoriseProblem{.n = 8192, .ranks = 256}, "cholesky 16x16 b=64");
  const std::optional<How> found =
      fastest_for_all(Collective::bcast, machine, ScalarType::float64, made);  // in a stretch of it
  ASSERT_TRUE(found);
  EXPECT_EQ(found->way, Way::chain);
  EXPECT_LT(1.3 * seconds(machine, all_by(Collective::bcast, *found, made)), seconds(machine, made));
}

// Eight pieces are more messages, of which small panels have enough.
TEST(ChooseForAll, SmallPanelsGoInFourPieces) {
  const Machine machine = find_machine("hopper");
  const Schedule made = chosen_each_for_itself(machine, FactoriseProblem{.n = 1024, .ranks = 36}, "cholesky 6x6 b=32");
  EXPECT_EQ(fastest_for_all(Collective::bcast, machine, ScalarType::float64, made), (How{Way::chain, 4}));
  const auto in_pieces = [&](Int pieces) {
    return replayed(machine, all_by(Collective::bcast, {Way::chain, pieces}, made));
  };
  EXPECT_LT(1.1 * in_pieces(4), in_pieces(8));
}

// There four pieces take a fifth longer by the replay, and a twentieth less by the clock (decision 61).
TEST(ChooseForAll, OnLongLinesPanelsGoInEightPieces) {
  const Machine machine = find_machine("hopper");
  const Schedule made =
      chosen_each_for_itself(machine, FactoriseProblem{.n = 4096, .ranks = 576}, "cholesky 24x24 b=64");
  EXPECT_EQ(fastest_for_all(Collective::bcast, machine, ScalarType::float64, made), (How{Way::chain, 8}));
}

// What is chosen by the clock is a gain by the replay, or loses next to nothing.
TEST(ChooseForAll, TheReplayAgrees) {
  double gained = 0;
  for (const char* name : {"generic", "hopper", "local"}) {
    const Machine machine = find_machine(name);
    for (const auto& [ranks, spelling] : {std::pair{9, "cholesky 3x3 b=32"},
                                          {16, "cholesky 2x8 b=32"},
                                          {16, "cholesky 4x4 b=32"},
                                          {36, "cholesky 6x6 b=32"}}) {
      const Schedule made = chosen_each_for_itself(machine, FactoriseProblem{.n = 1024, .ranks = ranks}, spelling);
      const std::optional<How> found = fastest_for_all(Collective::bcast, machine, ScalarType::float64, made);
      if (!found) continue;
      const double ratio = replayed(machine, all_by(Collective::bcast, *found, made)) / replayed(machine, made);
      EXPECT_LT(ratio, 1.05) << name << " " << spelling;
      gained = std::max(gained, 1 - ratio);
    }
  }
  EXPECT_GT(gained, 0.1);
}

// What is left of the sums of a block column is due at once on the rank that solves it. The other rank, whose turn is
// next, must not wait for a half of them.
TEST(ChooseForAll, SumsOfTwoRanksAreNotFormedHalfByEach) {
  const Machine machine = find_machine("local");
  const SolveProblem p{.m = 2048, .n = 2048, .op = Op::transpose, .ranks = 2};
  const Schedule made = chosen_each_for_itself(machine, p, "trsm_lazy 2x1 b=64");
  const std::optional<How> found = fastest_for_all(Collective::reduce, machine, p.type, made);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->way, Way::binomial);
  EXPECT_LT(1.05 * replayed(machine, all_by(Collective::reduce, *found, made)), replayed(machine, made));
}

TEST(ChooseForAll, ToOneOtherRankThereIsNothingToChoose) {
  const Machine machine = find_machine("generic");
  const Schedule made = chosen_each_for_itself(machine, FactoriseProblem{.n = 500, .ranks = 4}, "cholesky 2x2 b=32");
  EXPECT_FALSE(fastest_for_all(Collective::bcast, machine, ScalarType::float64, made));
}

TEST(ChooseForAll, AWayThatTheCallerNamesStays) {
  const FactoriseProblem p{.n = 1024, .ranks = 64};
  const Options o{.algorithm = "cholesky 8x8 b=32", .machine = "generic"};
  EXPECT_NE(plan(p, o).print().find("by chain"), std::string::npos);
  Options named = o;
  named.collectives = "bcast=near";
  EXPECT_EQ(plan(p, named).print().find("by chain"), std::string::npos);
}

TEST(Cutting, ADimensionIsCutOfWhichEnoughPiecesHoldSomething) {
  Layout l = Layout::block_cyclic(1000, 8, {.mb = 4, .nb = 8, .pr = 2, .pc = 1});
  l.cols.cuts.clear();
  EXPECT_FALSE(cutting(l, 16).cols);
  EXPECT_TRUE(cutting(l, 8).cols);
  l.cols.extent = {0, 2};
  EXPECT_FALSE(cutting(l, 4).cols);
  EXPECT_TRUE(cutting(l, 2).cols);
}

// What is dealt in blocks lies there block by block, and a piece of it is a run of memory.
TEST(Cutting, PiecesOfWhatIsDealtInBlocksAreContiguous) {
  Layout l = Layout::block_cyclic(64, 1000, {.mb = 64, .nb = 16, .pr = 1, .pc = 3, .csrc = 1});
  for (Int parts : {2, 3, 7}) {
    const Cutting c = cutting(l, parts);
    EXPECT_TRUE(c.cols);
    for (Int rank = 0; rank < 3; ++rank) {
      Int before = 0;
      for (Int piece = 0; piece < parts; ++piece) {
        const Layout part = c.one(Affine(piece));
        const IndexSet cols = part.cols_at(rank);
        EXPECT_EQ(cols.size(), part.cols.size(l.grid, rank));
        EXPECT_EQ(runs(l.cols_at(rank), cols).size(), 1U);
        EXPECT_EQ(runs(l.cols_at(rank), cols)[0].start, before);
        before += cols.size();
        EXPECT_EQ(c.span(Affine(piece), 2).cols_at(rank).size(), c.span(Affine(piece), 2).cols.size(l.grid, rank));
      }
      EXPECT_EQ(before, l.cols.size(l.grid, rank));
    }
  }
}

}  // namespace
}  // namespace cairn
