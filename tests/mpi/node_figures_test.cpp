// Plans by what the first use of a node measures: once, the same on all ranks, and only where it is asked for.
#include "runtime/measure/node_figures.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "../io/temporary_directory.hpp"
#include "distributed.hpp"
#include "runtime/environment.hpp"
#include "runtime/measure/kernels.hpp"

namespace cairn {
namespace {

constexpr Int large = 1024, small = 512;  // of two ranks' products: above and below what is worth a measurement

/// A cache of its own, which rank 0 alone looks at, and a communicator that knows nothing yet.
class NodeFiguresTest : public ::testing::Test {
 protected:
  NodeFiguresTest() {
    setenv("XDG_CACHE_HOME", directory_.path().c_str(), 1);
    unsetenv("CAIRN_MEASURE_NODE");
  }

  GemmProblem problem(Int n) const { return testing::problem(n, n, n * comm_.size() / 2, comm_.size()); }
  Plan plan_here(Int n, const Options& options = {}) const { return plan(comm_, problem(n), options); }
  Plan plan_anywhere(Int n, Options options = {}) const {
    options.kernels = kernels_in_use(comm_);
    return plan(problem(n), options);
  }
  void keep(const NodeFigures& figures) const {
    remember(node_cache(), {this_host().processor, mpi_library(), comm_.size()}, figures);
  }
  static bool anything_kept() { return std::filesystem::exists(node_cache()); }

  const io::TemporaryDirectory directory_;
  const testing::Another another_;
  const Comm comm_{another_.raw};
};

const NodeFigures good_messages{{{8, 1e-9}, {1 << 20, 1e-9}}, 1e-9, 1e-9, 1e-8, 1e-3};
const NodeFigures good_memory{{{8, 1e-5}, {1 << 20, 1e-2}}, 1e-12, 1e-11, 1e-11, 1e-9};

TEST_F(NodeFiguresTest, ThatAreKeptDecideAboutTheTransport) {
  keep(good_memory);
  const Plan shared = plan_here(large);
  EXPECT_EQ(shared.transport(), "node-shared");
  EXPECT_NE(shared.explain().find("as measured at their first use"), std::string::npos);
  keep(good_messages);
  EXPECT_EQ(plan_here(large).explain(), shared.explain());  // a communicator asks once
  const testing::Another another;
  EXPECT_EQ(plan(Comm(another.raw), problem(large)).transport(), "two-sided");
}

TEST_F(NodeFiguresTest, PlansOfFactorisationsAreForTheMachineThatTheyStandFor) {
  keep(good_messages);
  const FactorPlan made = plan(comm_, FactoriseProblem{.n = 2 * large});
  const auto json = nlohmann::json::parse(made.json());
  EXPECT_EQ(json["machine"], "generic");
  EXPECT_EQ(json["asked"]["machine"], "");
}

TEST_F(NodeFiguresTest, AreNotAskedForWhereTheyDecideNothing) {
  keep(good_memory);
  EXPECT_EQ(plan_here(small).explain(), plan_anywhere(small).explain());
  for (const Options& o : {Options{.transport = "two-sided"}, {.ranks_per_node = 1}, {.machine = "piz-daint"}})
    EXPECT_EQ(plan_here(large, o).explain(), plan_anywhere(large, o).explain());
  const Comm self = Comm::self();
  GemmProblem alone = problem(large);
  alone.ranks = 1;
  EXPECT_EQ(plan(self, alone).explain(), plan(alone, {.kernels = kernels_in_use(self)}).explain());
}

TEST_F(NodeFiguresTest, AreLeftAloneWhereTheEnvironmentOfRank0SaysSo) {
  keep(good_memory);
  if (comm_.rank() == 0) setenv("CAIRN_MEASURE_NODE", "0", 1);
  EXPECT_EQ(plan_here(large).explain(), plan_anywhere(large).explain());
}

TEST_F(NodeFiguresTest, AreMeasuredOnceAndKeptUnlessRanksTakeTurns) {
  const bool in_turns = comm_.size() > sysconf(_SC_NPROCESSORS_ONLN);
  const Plan first = plan_here(large);
  comm_.agree_same("plan", first.explain());
  EXPECT_EQ(anything_kept(), comm_.rank() == 0 && !in_turns);
  const NodeFigures* const measured = node_figures(comm_, true);
  EXPECT_EQ(measured == nullptr, in_turns);
  const testing::Another another;
  const Comm later(another.raw);
  EXPECT_EQ(plan(later, problem(large)).json(), first.json());
  const NodeFigures* const again = node_figures(later, comm_.rank() == 0);  // what others want does not matter
  if (!measured) {
    EXPECT_EQ(again, nullptr);
    EXPECT_EQ(first.explain(), plan_anywhere(large).explain());
    return;
  }
  for (const Machine::Message& m : measured->messages) EXPECT_GT(m.seconds, 0);
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, *measured);
}

TEST_F(NodeFiguresTest, OfRanksThatCannotShareMemoryAreOfNoUse) {
  keep({{{8, 1e-9}}, 1e-9, 1e-9, 0, 0});
  EXPECT_EQ(plan_here(large).explain(), plan_anywhere(large).explain());
}

}  // namespace
}  // namespace cairn
