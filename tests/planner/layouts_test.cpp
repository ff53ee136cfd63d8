// The planner and the caller's layouts: what stays where it lies, and what is worth moving.
#include <gtest/gtest.h>

#include "cairn/plan.hpp"
#include "problem.hpp"

namespace cairn {
namespace {

using testing::problem;

GemmProblem on_blocks(Int n, Int block, Int pr, Int pc) {
  GemmProblem p = problem(n, n, n, pr * pc);
  p.a = p.b = p.c = Layout::block_cyclic(n, n, {.mb = block, .nb = block, .pr = pr, .pc = pc});
  return p;
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

TEST(Layouts, SaysWhatIsRedistributed) {
  GemmProblem p = on_blocks(256, 16, 2, 2);
  p.a = Layout::block_cyclic(256, 256, {.mb = 24, .nb = 16, .pr = 2, .pc = 2});
  Options o;
  o.algorithm = "summa 2x2 b=256 held";
  EXPECT_NE(plan(p, o).explain().find("redistributed: A\n"), std::string::npos);
  o.algorithm = "cosma pm4";
  EXPECT_NE(plan(p, o).explain().find("redistributed: A, B, C\n"), std::string::npos);
}

}  // namespace
}  // namespace cairn
