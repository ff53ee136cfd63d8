// The planner and the caller's layouts: what stays where it lies, and what is worth moving.
#include <gtest/gtest.h>

#include <limits>

#include "cairn/plan.hpp"
#include "model/labels.hpp"
#include "problem.hpp"

namespace cairn {
namespace {

using testing::problem;

GemmProblem on_blocks(Int n, Int block, Int pr, Int pc) {
  GemmProblem p = problem(n, n, n, pr * pc);
  p.a = p.b = p.c = Layout::block_cyclic(n, n, {.mb = block, .nb = block, .pr = pr, .pc = pc});
  return p;
}

TEST(Layouts, BlocksLongerThanTheMatrixLieOnTheFirstRank) {
  constexpr Int endless = std::numeric_limits<Int>::max();
  const Layout l = Layout::block_cyclic(10, 12, {.mb = endless, .nb = endless - 1, .pr = 3, .pc = 2});
  EXPECT_EQ(l.words(0), 120);
  for (Int rank = 1; rank < 6; ++rank) EXPECT_EQ(l.words(rank), 0) << rank;
  EXPECT_EQ(l.rows_at(0).size(), 10);
  EXPECT_EQ(l.rows_at(2).size(), 0);
}

TEST(Layouts, MultipliesScalapacksMatricesWhereTheyLie) {
  for (auto [pr, pc] : {std::pair<Int, Int>{1, 2}, {2, 1}, {2, 2}, {1, 4}, {2, 4}, {4, 4}})
    for (Int block : {32, 64, 128}) {
      const Plan p = plan(on_blocks(1024, block, pr, pc));
      EXPECT_TRUE(p.algorithm().ends_with("held")) << p.algorithm();
      EXPECT_NE(p.explain().find("all matrices stay where they lie"), std::string::npos);
    }
}

TEST(Layouts, RedistributesWhereThatIsFaster) {
  // A·B on 8 × 1 ranks would bring all of B to each of them, and there is little of A and C to move.
  GemmProblem p = problem(64, 64, 65536, 8);
  const Layout::BlockCyclic tall{.mb = 8, .nb = 8, .pr = 8, .pc = 1};
  p.a = Layout::block_cyclic(64, 65536, tall);
  p.b = Layout::block_cyclic(65536, 64, tall);
  p.c = Layout::block_cyclic(64, 64, tall);
  Options held;
  held.algorithm = "summa 8x1 b=65536 held";
  EXPECT_LT(plan(p).predicted_seconds(), 0.5 * plan(p, held).predicted_seconds());
}

// Their outlines do not know what is redistributed, so that the widest panels that fit are found by counting.
TEST(Layouts, ALimitOfMemoryTakesPanelsThatAreNarrowEnough) {
  GemmProblem p = problem(1313, 1214, 367, 6);
  const Layout::BlockCyclic blocks{.mb = 32, .nb = 32, .pr = 2, .pc = 3};
  p.a = Layout::block_cyclic(p.m, p.k, blocks), p.b = Layout::block_cyclic(p.k, p.n, blocks);
  p.c = Layout::block_cyclic(p.m, p.n, blocks);
  const auto by = [&](const char* algorithm) {
    Options o;
    o.algorithm = algorithm;
    return plan(p, o);
  };
  const Plan wide = by("summa 2x3 b=92 held"), narrow = by("summa 2x3 b=46 held");
  EXPECT_LE(plan(p).predicted_seconds(), 1.01 * wide.predicted_seconds());
  Options o;
  for (const Plan& fits : {wide, narrow}) {
    o.memory_words = fits.max_count().peak_words + 1000;
    const Plan limited = plan(p, o);
    EXPECT_LE(limited.predicted_seconds(), fits.predicted_seconds()) << limited.algorithm();
    EXPECT_LE(limited.max_count().peak_words, *o.memory_words);
  }
}

TEST(Layouts, SaysWhatIsRedistributed) {
  GemmProblem p = on_blocks(256, 16, 2, 2);
  p.a = Layout::block_cyclic(256, 256, {.mb = 24, .nb = 16, .pr = 2, .pc = 2});
  Options o;
  o.algorithm = "summa 2x2 b=256 held";
  EXPECT_NE(plan(p, o).explain().find("redistributed: A\n"), std::string::npos);
  o.algorithm = "cosma pm4";
  EXPECT_NE(plan(p, o).explain().find("redistributed: A, B, C\n"), std::string::npos);
}

// The caller holds A, B and C as COSMA would, but on other ranks.
GemmProblem on_other_ranks(const Labels& labels, Options& o) {
  GemmProblem p = problem(48, 40, 56, 8);
  o.algorithm = "cosma pm2,pn2,pk2";
  o.transport = "two-sided";
  const Plan own = plan(p, o);
  p.a = labels.of_ranks(own.layout_a()), p.b = labels.of_ranks(own.layout_b()), p.c = labels.of_ranks(own.layout_c());
  return p;
}

// What redistribution takes was estimated, so it is no bound.
TEST(Layouts, SaysHowLongWhatIsNotClockedTakesAbout) {
  const std::string page = plan(on_blocks(64, 16, 2, 3)).explain();
  EXPECT_NE(page.find(" about "), std::string::npos) << page;
  EXPECT_EQ(page.find(" at least "), std::string::npos) << page;
  const std::string own = plan(problem(64, 64, 64, 6)).explain();
  EXPECT_NE(own.find(" at least "), std::string::npos) << own;
}

TEST(Layouts, RanksAreRelabelledWhereNothingElseDiffers) {
  Options o;
  const Labels labels({3, 1, 7, 0, 6, 2, 5, 4});
  const GemmProblem p = on_other_ranks(labels, o);
  const Plan moved = plan(p, o), own = plan(problem(p.m, p.n, p.k, p.ranks), o);
  for (Int position = 0; position < p.ranks; ++position) {
    EXPECT_EQ(moved.count(labels.rank(position)).received, own.count(position).received);
    EXPECT_EQ(moved.count(labels.rank(position)).peak_words, own.count(position).peak_words);
  }
  EXPECT_EQ(moved.predicted_seconds(), own.predicted_seconds());
  EXPECT_NE(moved.explain().find("7 of 8 trade places"), std::string::npos) << moved.explain();
  EXPECT_NE(moved.json().find("\"saved_words\""), std::string::npos);
}

TEST(Layouts, AnOwnLayoutFollowsTheRanksThatAreRelabelled) {
  Options o;
  const Labels labels({3, 1, 7, 0, 6, 2, 5, 4});
  GemmProblem p = on_other_ranks(labels, o);
  const Layout b = *p.b;
  p.b.reset();
  EXPECT_TRUE(plan(p, o).layout_b().same_ownership(b, p.ranks));
}

TEST(Layouts, RanksTradePlacesWithinTheirNode) {
  Options o;
  const GemmProblem p = on_other_ranks(Labels({1, 0, 3, 2, 7, 6, 5, 4}), o);
  const Int whole = plan(p, o).max_count().received;
  const auto trades = [&](Int ranks_per_node, Int places) {
    o.ranks_per_node = ranks_per_node;
    const Plan q = plan(p, o);
    EXPECT_NE(q.explain().find(std::to_string(places) + " of 8 trade places"), std::string::npos) << q.explain();
    return q.max_count().received;
  };
  EXPECT_EQ(trades(4, 8), whole);
  EXPECT_GT(trades(2, 4), whole);
  o.ranks_per_node = 1;
  EXPECT_EQ(plan(p, o).explain().find("trade places"), std::string::npos);
}

}  // namespace
}  // namespace cairn
