// Distributions that are counted, then chosen: what a count says is what products then receive and multiply.
#include "cairn/choose_distribution.hpp"

#include <gtest/gtest.h>

#include <array>

#include "block_sparse.hpp"
#include "distributed.hpp"

namespace cairn {
namespace {

/// A chain: blocks that are at most `reach` apart.
BlockSparse<double> chain(const Comm& comm, const BlockSizes& sizes, BlockIndex reach, Symmetry symmetry) {
  const auto blocks = static_cast<BlockIndex>(sizes.size());
  BlockSparse<double> X(comm, sizes, sizes, symmetry);
  for (BlockIndex i = 0; i < blocks; ++i)
    for (BlockIndex j = std::max(0, i - reach); j <= std::min(blocks - 1, i + reach); ++j)
      if (X.here(i, j))
        X.put(i, j, std::vector<double>(static_cast<std::size_t>(X.rows()[i] * X.cols()[j]), 1.0).data());
  return X;
}

std::vector<std::array<double, 3>> line(BlockIndex blocks) {
  std::vector<std::array<double, 3>> places;
  for (BlockIndex i = 0; i < blocks; ++i) places.push_back({static_cast<double>(i), 0, 0});
  return places;
}

// On one layer no words are left to chance.
TEST(ChooseDistribution, CountsWhatProductsReceiveAndMultiply) {
  testing::in_groups([](const Comm& comm) {
    const Int p = comm.size();
    BlockDistribution apart = BlockDistribution::by_region(line(24), p);  // columns elsewhere than rows
    apart.col = BlockDistribution::dealt(24, 24, p).col;
    const std::vector<BlockDistribution> candidates{
        BlockDistribution::dealt(24, 24, p), BlockDistribution::dealt(24, 24, 1, p),
        BlockDistribution::by_region(line(24), p), BlockDistribution::by_region(line(24), p, 1), apart};
    BlockSizes sizes = testing::some_sizes(24, 1);
    for (BlockIndex& size : sizes) size *= 4;  // so that ranks ask for the blocks they need, where these are few
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
      const std::vector<DistributionCost> costs =
          distribution_costs(chain(comm, sizes, 3, symmetry), std::span<const BlockDistribution>(candidates));
      for (std::size_t d = 0; d < candidates.size(); ++d) {
        const BlockSparse<double> X = chain(comm, sizes, 3, Symmetry::general).redistributed(candidates[d]);
        BlockSparse<double> C(comm, X.rows(), X.cols(), candidates[d]);
        const BlockProductReport did = multiply(Op::none, Op::none, 1.0, X, X, 0.0, C);
        std::array<double, 2> sums{static_cast<double>(did.received + did.redistributed),
                                   static_cast<double>(did.flops)};
        double most = sums[1];
        MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_DOUBLE, MPI_SUM, comm.raw());
        MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, comm.raw());
        if (did.algorithm.find("layers") != std::string::npos) continue;
        EXPECT_NEAR(costs[d].received, sums[0] / static_cast<double>(p), 1e-9) << did.algorithm;
        EXPECT_NEAR(costs[d].busiest, most * static_cast<double>(p) / sums[1], 1e-9) << did.algorithm;
      }
    }
  });
}

TEST(ChooseDistribution, TakesTheFewestWordsOfThoseThatAreEven) {
  const testing::Group group({4});
  if (!group.member()) return;
  const Comm comm(group.raw());
  const BlockSparse<double> X = chain(comm, BlockSizes(64, 3), 1, Symmetry::general);
  BlockDistribution lopsided = BlockDistribution::dealt(64, 64, 1, 4);
  lopsided.col.assign(64, 0);  // one rank has all, and nothing travels, as on a grid of one rank
  const BlockDistribution near = BlockDistribution::by_region(line(64), 1, 4);
  const std::vector<BlockDistribution> all{lopsided, BlockDistribution::dealt(64, 64, 1),
                                           BlockDistribution::dealt(64, 64, 1, 4), near};
  EXPECT_EQ(choose_distribution(X, std::span<const BlockDistribution>(all)), near);
  // On 2 x 2 ranks the regions of a chain leave two of them without work.
  const BlockDistribution dealt = BlockDistribution::dealt(64, 64, 4);
  const std::vector<BlockDistribution> square{BlockDistribution::by_region(line(64), 4), dealt};
  EXPECT_EQ(choose_distribution(X, std::span<const BlockDistribution>(square)), dealt);
  // In its own order, which by_region finds from places, or, of what has no order, as it is dealt.
  EXPECT_EQ(choose_distribution(X).pr, 4);
  EXPECT_EQ(choose_distribution(X).row, BlockDistribution::by_region(line(64), 4, 1).row);
  EXPECT_EQ(choose_distribution(chain(comm, BlockSizes(64, 3), 63, Symmetry::general)), dealt);
  const std::vector<BlockDistribution> equals{near, near};
  EXPECT_EQ(choose_distribution(X, std::span<const BlockDistribution>(equals)), near);
}

TEST(ChooseDistribution, CountsRanksThatHaveNothing) {
  const testing::Group group({4});
  if (!group.member()) return;
  const Comm comm(group.raw());
  const BlockSparse<double> full = chain(comm, BlockSizes(8, 5), 7, Symmetry::general);
  const std::vector<BlockDistribution> pair{BlockDistribution::dealt(8, 8, 1, 2)};
  const DistributionCost cost = distribution_costs(full, std::span<const BlockDistribution>(pair)).front();
  EXPECT_EQ(cost.received, 400);  // two ranks receive half of A, and two nothing
  EXPECT_EQ(cost.busiest, 2);
}

TEST(ChooseDistribution, RefusesWhatCannotBeOnEveryRank) {
  const Comm comm = Comm::world();
  const BlockSparse<double> X = chain(comm, BlockSizes(8, 3), 1, Symmetry::general),
                            flat(comm, BlockSizes(3, 2), BlockSizes(4, 2));
  const auto refused = [&](const BlockSparse<double>& of, const std::vector<BlockDistribution>& candidates,
                           const char* part) {
    testing::expect_refused_alike(
        comm, [&] { choose_distribution(of, std::span<const BlockDistribution>(candidates)); }, part);
  };
  refused(X, {}, "candidates: none");
  refused(flat, {BlockDistribution::dealt(3, 4, 1)}, "X: rows and columns");
  refused(X, {BlockDistribution::dealt(7, 8, 1)}, "7");
  refused(X, std::vector<BlockDistribution>(comm.rank() == 0 ? 1 : 2, BlockDistribution::dealt(8, 8, 1)),
          "number of distributions");
}

}  // namespace
}  // namespace cairn
