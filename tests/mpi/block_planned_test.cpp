// Products of block-sparse matrices do what was planned ahead.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "block_grids.hpp"
#include "block_sparse.hpp"
#include "cairn/block_plan.hpp"
#include "distributed.hpp"

namespace cairn {
namespace {

using testing::Whole;

// A product of uniform blocks, and its plan.
struct Planned {
  BlockProblem problem;
  Whole<double> A, B, C;
  Planned(const Comm& comm, Int blocks, Int size, std::uint64_t percent, std::optional<Int> inner = {}) {
    const BlockDim d{blocks, size}, k{inner.value_or(blocks), size};
    const auto sizes = [&](const BlockDim& of) {
      return BlockSizes(static_cast<std::size_t>(of.blocks), static_cast<BlockIndex>(size));
    };
    A = {sizes(d), sizes(k), {}}, B = {sizes(k), sizes(d), {}}, C = {sizes(d), sizes(d), {}};
    const auto fill = [&](Whole<double>& x, const BlockDim& rows, const BlockDim& cols, bool second) {
      for (BlockIndex i = 0; i < rows.blocks; ++i)
        for (BlockIndex j = 0; j < cols.blocks; ++j)
          if (testing::mixed(2 * static_cast<std::uint64_t>(i * cols.blocks + j) + second) % 100 < percent)
            x.at(i, j).assign(static_cast<std::size_t>(size * size), 1);
      const double all = static_cast<double>(rows.blocks) * static_cast<double>(cols.blocks);
      return all == 0 ? 1 : static_cast<double>(x.blocks.size()) / all;
    };
    const double a = fill(A, d, k, false), b = fill(B, k, d, true);
    problem = {.m = d, .n = d, .k = k, .occupancy_a = a, .occupancy_b = b, .ranks = comm.size()};
  }
  BlockPlan plan(const std::string& algorithm) const { return cairn::plan(problem, {.algorithm = algorithm}); }
  BlockProductReport run(const Comm& comm, Int pr, Int pc, const BlockProductOptions& options) const {
    const auto dealt = [&](const Whole<double>& x) {
      return testing::distributed(
          comm, x, BlockDistribution::dealt(static_cast<Int>(x.rows.size()), static_cast<Int>(x.cols.size()), pr, pc));
    };
    BlockSparse<double> X = dealt(C);
    return multiply(Op::none, Op::none, 1.0, dealt(A), dealt(B), 0.0, X, options);
  }
};

// Where all blocks are there, what is planned ahead is what happens, on every rank.
TEST(BlockPlanned, OfAllBlocksDoesExactlyWhatWasPlannedAhead) {
  testing::in_groups([](const Comm& comm) {
    const auto as_planned = [&](Int pr, Int pc, Int lr, Int lc, const char* how) {
      const Planned p(comm, 13, 2, 100, lr * lc > 1 ? 19 : 13);  // of C fewer than the grid may have rows
      const std::string algorithm = testing::spelled(pr, pc, lr, lc) + how;
      const BlockPlan plan = p.plan(algorithm);
      EXPECT_TRUE(plan.exact());
      const BlockCount count = plan.count(comm.rank());
      const BlockProductReport report = p.run(comm, pr, pc, {.algorithm = algorithm});
      EXPECT_EQ(report.received, count.words()) << algorithm;
      EXPECT_EQ(report.received_index, count.received_index) << algorithm;
      EXPECT_EQ(report.messages, count.messages) << algorithm;
      EXPECT_EQ(static_cast<double>(report.flops), count.flops) << algorithm;
      EXPECT_EQ(report.predicted, static_cast<double>(report.received)) << algorithm;
    };
    testing::on_every_grid(
        comm,
        [&](Int pr, Int pc, Int lr, Int lc) {
          as_planned(pr, pc, lr, lc, "");
          if (lr * lc == 1) as_planned(pr, pc, 1, 1, " crossed");
        },
        false);
  });
}

// One panel of rows, of which only the first rank of a column computes anything.
TEST(BlockPlanned, WhatIsOnlyPassedOnIsCountedAndNobodyElseGetsIt) {
  testing::in_groups([](const Comm& comm) {
    const Planned p(comm, 13, 2, 100);
    for (const char* algorithm : {"summa {}x1 b=64", "cannon {}x1", "hsumma {0}x1 groups={0}x1 M=64 b=64"}) {
      const std::string spelled = fmt::format(fmt::runtime(algorithm), comm.size());
      const BlockProductReport report = p.run(comm, 1, comm.size(), {.algorithm = spelled});
      EXPECT_EQ(report.predicted, static_cast<double>(report.received)) << spelled;
      if (comm.size() != 2 || comm.rank() != 1 || spelled.starts_with("cannon")) continue;
      EXPECT_EQ(report.messages, 2) << spelled;  // its part of C, and what it has to pass on
    }
  });
}

// Of random patterns it is what happens in the mean. Rows of sums that share a row of A are there together, or not: of
// indices that is a little less.
TEST(BlockPlanned, OfRandomBlocksDoesInTheMeanWhatWasPlannedAhead) {
  const Comm comm = Comm::world();
  if (comm.size() != 16) return;
  for (const auto& [percent, near] : {std::pair<std::uint64_t, double>{3, 0.02}, {20, 0.01}})
    for (const char* layers : {"", " layers=2x2", " layers=1x4"}) {
      const Planned p(comm, 128, 2, percent);
      const std::string algorithm = fmt::format("fetch25d 4x4{}", layers);
      const BlockPlan plan = p.plan(algorithm);
      const BlockProductReport report = p.run(comm, 4, 4, {.algorithm = algorithm});
      std::array<double, 4> sums{static_cast<double>(report.received), static_cast<double>(report.received_index),
                                 static_cast<double>(report.flops), report.predicted};
      MPI_Allreduce(MPI_IN_PLACE, sums.data(), 4, MPI_DOUBLE, MPI_SUM, comm.raw());
      double index = 0, flops = 0;
      for (Int r = 0; r < 16; ++r)
        index += static_cast<double>(plan.count(r).received_index), flops += plan.count(r).flops;
      EXPECT_NEAR(sums[0] / (16 * plan.mean_received()), 1, near) << percent << " % " << algorithm;
      EXPECT_NEAR(sums[1] / index, 1, 3 * near) << percent << " % " << algorithm;
      EXPECT_NEAR(sums[2] / flops, 1, 3 * near) << percent << " % " << algorithm;
      EXPECT_NEAR(sums[3] / sums[0], 1, near) << percent << " % " << algorithm;
    }
}

TEST(BlockPlanned, TheMemoryThatARefusalNamesSuffices) {
  testing::in_groups([](const Comm& comm) {
    const Planned p(comm, 13, 2, 40);
    std::string said;
    try {
      p.run(comm, 1, comm.size(), {.memory_words = 1});
    } catch (const MemoryError& e) {
      said = e.what();
    }
    const std::size_t at = said.find("at least ");
    ASSERT_NE(at, std::string::npos) << said;
    const Int least = std::stoll(said.substr(at + 9));
    for (const char* transport : {"two-sided", "one-sided"})
      EXPECT_GT(p.run(comm, 1, comm.size(), {.memory_words = least, .transport = transport}).flops, -1);
    EXPECT_THROW(p.run(comm, 1, comm.size(), {.memory_words = least - 1}), MemoryError);
  });
}

}  // namespace
}  // namespace cairn
