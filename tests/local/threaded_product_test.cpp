// Products on several threads are those of one thread, whatever the shapes, and however sums are cut and joined.
#include "local/sparse/threaded_product.hpp"

#include <gtest/gtest.h>

#include "base/scalars.hpp"
#include "blocks.hpp"
#include "local/sparse/block_operations.hpp"
#include "local/sparse/block_panel.hpp"
#include "local/sparse/threads.hpp"

namespace cairn {
namespace {

using testing::Random;
using T = std::complex<double>;

Blocks<T> random_blocks(Random& random, std::shared_ptr<const BlockSizes> rows,
                        std::shared_ptr<const BlockSizes> cols) {
  const std::vector<double> chances{0, 0.05, 0.4, 1};
  return testing::random_blocks<T>(random, rows, cols, chances[random() % chances.size()]);
}

void expect_same(Blocks<T>& found, Blocks<T>& expected) {
  ASSERT_EQ(found.rows, expected.rows);
  ASSERT_EQ(found.first, expected.first);
  ASSERT_EQ(found.cols, expected.cols);
  EXPECT_EQ(compact<T>(found).values, compact<T>(expected).values);
}

TEST(ThreadedProduct, IsThatOfOneThread) {
  Random random(7);
  for (int round = 0; round < 120; ++round) {
    const auto draw = [&] {
      const std::vector<BlockIndex> sizes =
          round % 3 == 0 ? std::vector<BlockIndex>{6} : std::vector<BlockIndex>{0, 1, 3, 13};
      return testing::random_sizes(random, static_cast<int>(random() % 20), sizes);
    };
    const auto m = draw(), n = draw(), k = draw();
    const Blocks<T> start = random_blocks(random, m, n);
    SumOfThreads<T> one(start), shared(start);
    ThreadedProduct<T> alone(1), together(2 + round % 3);
    ProductFilter filter;
    filter.retain_sparsity = round % 7 == 0;
    Int flops = 0, flops_together = 0;
    for (int panel = 0; panel < 3; ++panel) {
      const Blocks<T> A = random_blocks(random, m, k), B = random_blocks(random, k, n);
      const std::vector<double> norms_a = norms<T>(A), norms_b = norms<T>(B), limits(m->size(), 20);
      if (round % 2 == 0) filter.limits = limits, filter.norms_a = norms_a, filter.norms_b = norms_b;
      flops += alone.multiply(T(2, 1), A, B, filter, one);
      flops_together += together.multiply(T(2, 1), A, B, filter, shared);
      if (round % 5 == 0) shared.whole();  // joined, and cut again
    }
    EXPECT_EQ(flops_together, flops);
    EXPECT_EQ(together.products(), alone.products());
    ASSERT_NO_FATAL_FAILURE(expect_same(shared.whole(), one.whole())) << "round " << round;
  }
}

TEST(ThreadedProduct, CutsSumsByTheBlocksOfA) {
  const auto sizes = std::make_shared<const BlockSizes>(BlockSizes(6, 1));
  Blocks<double> none;
  none.row_sizes = none.col_sizes = sizes;
  BlockPattern A = none;
  for (BlockIndex j = 0; j < 6; ++j) A.append(1, j, j);
  for (BlockIndex i = 2; i < 6; ++i) A.append(i, 0, 6 + i);
  SumOfThreads<double> sum(none);
  const auto& parts = sum.parts(A, false, 2);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].from, 0);
  EXPECT_EQ(parts[0].to, 2);  // six of ten blocks, and not all ten
  EXPECT_EQ(parts[1].from, 2);
  EXPECT_EQ(parts[1].to, 6);
}

TEST(Threads, AnExceptionOfOneReachesTheCaller) {
  EXPECT_THROW(on_threads(3,
                          [](int t) {
                            if (t == 1) throw std::bad_alloc();
                          }),
               std::bad_alloc);
}

}  // namespace
}  // namespace cairn
