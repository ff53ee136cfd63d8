// Products of block-sparse matrices do what plans made from their patterns say.
#include "cairn/block_product_plan.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "block_grids.hpp"
#include "block_sparse.hpp"
#include "cairn/error.hpp"
#include "cairn/plan_json.hpp"
#include "cairn/simulate.hpp"
#include "distributed.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn {
namespace {

using testing::Whole;

// C = A·B in blocks of several sizes, some of them without elements.
struct Product {
  BlockSparse<double> A, B, C;
  Product(const Comm& comm, const BlockDistribution& a, const BlockDistribution& b, const BlockDistribution& c,
          std::uint64_t percent)
      : A(matrix(comm, a, 1, 2, percent, 3)), B(matrix(comm, b, 2, 4, percent, 5)), C(matrix(comm, c, 1, 4, 20, 6)) {}

  static BlockSparse<double> matrix(const Comm& comm, const BlockDistribution& where, std::uint64_t rows,
                                    std::uint64_t cols, std::uint64_t percent, std::uint64_t seed) {
    const auto sizes = [](const std::vector<BlockIndex>& blocks, std::uint64_t of) {
      return testing::some_sizes(static_cast<Int>(blocks.size()), of);
    };
    return testing::distributed(
        comm, testing::some_blocks<double>(sizes(where.row, rows), sizes(where.col, cols), percent, seed), where);
  }
};

// What both say of this rank.
void expect_as_planned(Product& p, const BlockProductOptions& options, Op op_b = Op::none) {
  const BlockPlan made = plan(Op::none, op_b, 2.0, p.A, p.B, 1.0, p.C, options);
  const BlockCount count = made.count(p.C.comm().rank());
  const BlockProductReport report = multiply(Op::none, op_b, 2.0, p.A, p.B, 1.0, p.C, options);
  EXPECT_EQ(report.algorithm, made.algorithm());
  EXPECT_NEAR(report.predicted, static_cast<double>(count.words()), 2) << made.algorithm();  // shares are rounded
  const auto json = nlohmann::json::parse(made.json());
  EXPECT_EQ(report.transport, json["transport"].get<std::string>());
  EXPECT_EQ(over_ranks(p.C.comm(), MPI_MAX, report.redistributed), json["brought_words"]["max"].get<Int>());
  EXPECT_TRUE(json["patterns_known"].get<bool>());
  if (!made.exact()) return;
  EXPECT_EQ(report.received, count.words()) << made.algorithm();
  EXPECT_EQ(report.messages, count.messages) << made.algorithm();
}

TEST(BlockProductPlan, SaysWhatMultiplyDoesOnEveryGridAndNumberOfLayers) {
  testing::in_groups([](const Comm& comm) {
    testing::on_every_grid(comm, [&](Int pr, Int pc, Int lr, Int lc) {
      const auto dealt = [&](Int rows, Int cols) { return BlockDistribution::dealt(rows, cols, pr, pc); };
      Product p(comm, dealt(13, 17), dealt(17, 11), dealt(13, 11), 40);
      expect_as_planned(p, {.algorithm = testing::spelled(pr, pc, lr, lc)});
      if (lr * lc > 1) return;
      expect_as_planned(p, {});
      expect_as_planned(p, {.rows = {{2, 9}}, .inner = {{1, 16}}, .transport = "one-sided"});
    });
  });
}

// Places of a grid are not the communicator's ranks if these go down its columns; A lies elsewhere.
TEST(BlockProductPlan, KnowsWhatIsBroughtToTheGridFirst) {
  testing::in_groups([](const Comm& comm) {
    BlockDistribution c = BlockDistribution::dealt(13, 11, comm.size());
    c.row_major = false;
    BlockDistribution b = BlockDistribution::dealt(11, 17, comm.size());
    Product p(comm, BlockDistribution::dealt(13, 17, 1, comm.size()), BlockDistribution::dealt(17, 11, comm.size()), c,
              60);
    expect_as_planned(p, {});
    const BlockSparse<double> turned = p.B.transposed(Op::transpose).redistributed(b);
    p.B = turned;
    expect_as_planned(p, {}, Op::transpose);
  });
}

TEST(BlockProductPlan, KnowsThatMirrorImagesTravel) {
  testing::in_groups([](const Comm& comm) {
    const BlockSizes sizes(14, 3);
    const BlockDistribution where = BlockDistribution::dealt(14, 14, comm.size());
    BlockSparse<double> X(comm, sizes, sizes, where, Symmetry::symmetric);
    const std::vector<double> block(9, 1);
    for (BlockIndex i = 0; i < 14; ++i)
      for (BlockIndex j = i; j < 14; j += 3)
        if (X.here(i, j)) X.put(i, j, block.data());
    Product p(comm, where, where, where, 10);
    p.A = p.B = p.C = X;
    expect_as_planned(p, {});
    // All blocks are there: only those above the diagonal are computed.
    for (BlockIndex i = 0; i < 14; ++i)
      for (BlockIndex j = i; j < 14; ++j)
        if (X.here(i, j)) X.put(i, j, block.data());
    const BlockPlan made = plan(Op::none, Op::none, 1.0, X, X, 0.0, X);
    double planned = 0, done = static_cast<double>(multiply(Op::none, Op::none, 1.0, X, X, 0.0, X).flops);
    for (Int r = 0; r < comm.size(); ++r) planned += made.count(r).flops;
    MPI_Allreduce(MPI_IN_PLACE, &done, 1, MPI_DOUBLE, MPI_SUM, comm.raw());
    EXPECT_NEAR(planned, done, 1e-9 * done);
  });
}

TEST(BlockProductPlan, NamesTheSmallestMemoryThatSuffices) {
  testing::in_groups([](const Comm& comm) {
    const auto dealt = [&](Int rows, Int cols) { return BlockDistribution::dealt(rows, cols, comm.size()); };
    Product p(comm, dealt(13, 17), dealt(17, 11), dealt(13, 11), 40);
    const auto least_of = [&](const BlockProductOptions& o) {
      return nlohmann::json::parse(plan(Op::none, Op::none, 1.0, p.A, p.B, 0.0, p.C, o).json())["least_memory_words"]
          .get<Int>();
    };
    const std::string algorithm = testing::spelled(p.C.where().pr, p.C.where().pc, 1, 1);
    const Int least = least_of({.algorithm = algorithm, .memory_words = 1 << 20});
    EXPECT_LE(least_of({.memory_words = least}), least);
    EXPECT_THROW(least_of({.algorithm = algorithm, .memory_words = least - 1}), MemoryError);
  });
}

// By words alone a dense product on a line of ranks is added up over layers. Its sums are waited for, but panels travel
// while others are multiplied.
TEST(BlockProductPlan, LeavesTheNumberOfLayersToTheClockWhereThatPays) {
  const Comm comm = Comm::world();
  if (comm.size() != 16) return;
  const auto product = [&](BlockIndex blocks, BlockIndex size) {
    const BlockDistribution where = BlockDistribution::dealt(blocks, blocks, 16, 1);
    const BlockSizes sizes(static_cast<std::size_t>(blocks), size);
    BlockSparse<double> X(comm, sizes, sizes, where);
    const std::vector<double> block(static_cast<std::size_t>(size * size), 1);
    for (BlockIndex i = 0; i < blocks; ++i)
      for (BlockIndex j = 0; j < blocks; ++j)
        if (X.here(i, j)) X.put(i, j, block.data());
    return X;
  };
  BlockSparse<double> small = product(32, 4), large = product(256, 6);
  const auto planned = [](const BlockSparse<double>& X, const std::string& algorithm = "") {
    return plan(Op::none, Op::none, 1.0, X, X, 0.0, X, {.algorithm = algorithm});
  };
  const auto with_fewest_words = [&comm](const BlockPlan& p) {
    return plan(p.problem(), {.prefer = "words", .kernels = kernels_in_use(comm)});
  };
  const BlockPlan few = planned(small), many = planned(large),
                  words = planned(large, with_fewest_words(many).algorithm());
  EXPECT_EQ(few.algorithm(), with_fewest_words(few).algorithm());
  EXPECT_LT(many.predicted_seconds(), 0.95 * words.predicted_seconds())  // with slow kernels, too
      << many.algorithm() << words.algorithm();
  EXPECT_GT(many.mean_received(), words.mean_received());
  for (BlockSparse<double>* X : {&small, &large}) {
    const std::string algorithm = planned(*X).algorithm();
    EXPECT_EQ(multiply(Op::none, Op::none, 1.0, *X, *X, 0.0, *X).algorithm, algorithm);
  }
}

// With the problem that the plan has found, others are planned and simulated on one rank.
TEST(BlockProductPlan, FindsAProblemThatIsPlannedAgain) {
  testing::in_groups([](const Comm& comm) {
    const auto dealt = [&](Int rows, Int cols) { return BlockDistribution::dealt(rows, cols, comm.size()); };
    Product p(comm, dealt(13, 17), dealt(17, 11), dealt(13, 11), 40);
    const BlockPlan made = plan(Op::none, Op::none, 1.0, p.A, p.B, 0.0, p.C);
    const BlockPlan again = plan(made.problem(), {.algorithm = made.algorithm()});
    EXPECT_EQ(again.grid(), made.grid());
    EXPECT_EQ(again.mean_received(), made.mean_received());
    EXPECT_EQ(plan(made.problem(), {.prefer = "words"}).grid(), made.grid());
    const Simulation simulated = simulate(made.problem(), {.algorithm = made.algorithm()});
    EXPECT_EQ(simulated.received.mean, made.mean_received());
    EXPECT_THROW(plan_from_json(made.json()), ArgumentError);
  });
}

TEST(BlockProductPlan, RefusesWhatIsNoProductOnEveryRank) {
  const Comm comm = Comm::world();
  const BlockSizes sizes(4, 2), others(4, 3);
  const BlockSparse<double> A(comm, sizes, sizes), B(comm, others, sizes);
  const auto refused = [&](const BlockSparse<double>& left, double alpha, const char* part) {
    try {
      plan(Op::none, Op::none, alpha, left, A, 0.0, A);
      ADD_FAILURE() << part;
    } catch (const ArgumentError& e) {
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    }
  };
  refused(B, 1, "rows of C");
  refused(A, 0, "alpha: 0, expected another number");
  refused(A, comm.rank() == 0 && comm.size() > 1 ? 2 : 0, comm.size() > 1 ? "arguments of the product" : "alpha");
}

}  // namespace
}  // namespace cairn
