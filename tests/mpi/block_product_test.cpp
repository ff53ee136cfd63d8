// Products of block-sparse matrices over MPI, against serial ones, block by block and bit by bit.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "block_grids.hpp"
#include "block_recount.hpp"
#include "block_sparse.hpp"
#include "distributed.hpp"
#include "runtime/transport/self_test.hpp"

namespace cairn {
namespace {

using testing::Filtered;
using testing::Recount;
using testing::Whole;

struct Case {
  Int m = 13, n = 11, k = 17;  // blocks
  std::uint64_t percent = 40;
  Filtered filter{};
  Op op_a = Op::none, op_b = Op::none;
  bool c_is_there = true;
};

template <class T>
struct Product {
  Whole<T> A, B, C;  // op(A), op(B)
  explicit Product(const Case& c)
      : A(testing::some_blocks<T>(testing::some_sizes(c.m, 1), testing::some_sizes(c.k, 2), c.percent, 3)),
        B(testing::some_blocks<T>(testing::some_sizes(c.k, 2), testing::some_sizes(c.n, 4), c.percent, 5)),
        C(testing::some_blocks<T>(testing::some_sizes(c.m, 1), testing::some_sizes(c.n, 4), c.c_is_there ? 20 : 0, 6)) {
  }
};

/// Where a matrix lies if op of it is to lie so.
BlockDistribution seen(Op op, BlockDistribution where) { return op == Op::none ? where : where.transposed(); }

// What is left out of a block is smaller than eps, and so is a block that is dropped.
template <class T>
void expect_within_eps(const testing::Whole<T>& filtered, const testing::Whole<T>& exact, double eps) {
  for (const auto& [place, block] : exact.blocks) {
    const auto kept = filtered.blocks.find(place);
    std::vector<T> error = block;
    if (kept != filtered.blocks.end())
      for (std::size_t i = 0; i < error.size(); ++i) error[i] -= kept->second[i];
    EXPECT_LE(testing::frobenius(error), kept != filtered.blocks.end() ? eps : 2 * eps);
  }
}

template <class T>
BlockProductReport expect_product(const Comm& comm, const Case& c, Int pr, Int pc, const std::string& algorithm,
                                  T alpha = T(2), T beta = T(-1), const std::string& transport = "") {
  Product<T> p(c);
  const BlockSparse<T> A = testing::distributed(comm, testing::transposed(p.A, c.op_a),
                                                seen(c.op_a, BlockDistribution::dealt(c.m, c.k, pr, pc))),
                       B = testing::distributed(comm, testing::transposed(p.B, c.op_b),
                                                seen(c.op_b, BlockDistribution::dealt(c.k, c.n, pr, pc)));
  BlockSparse<T> C = testing::distributed(comm, p.C, BlockDistribution::dealt(c.m, c.n, pr, pc));
  BlockProductOptions options;
  options.filter_eps = c.filter.eps, options.retain_sparsity = c.filter.retain, options.algorithm = algorithm;
  options.transport = transport;
  const BlockProductReport report = multiply(c.op_a, c.op_b, alpha, A, B, beta, C, options);
  testing::Filtered unfiltered = c.filter;
  unfiltered.eps = 0;
  testing::Whole<T> exact = p.C;
  testing::multiply(alpha, p.A, p.B, beta, exact, unfiltered);
  const Int products = testing::multiply(alpha, p.A, p.B, beta, p.C, c.filter);
  EXPECT_TRUE(testing::equal(C, p.C)) << report.algorithm;
  expect_within_eps(p.C, exact, c.filter.eps);
  Int done = report.products;
  MPI_Allreduce(MPI_IN_PLACE, &done, 1, MPI_INT64_T, MPI_SUM, comm.raw());
  EXPECT_EQ(done, products) << report.algorithm;
  return report;
}

TEST(BlockProduct, EqualsTheSerialOneOnEveryGridAndNumberOfLayers) {
  testing::in_groups([](const Comm& comm) {
    testing::on_every_grid(comm, [&](Int pr, Int pc, Int lr, Int lc) {
      expect_product<double>(comm, {}, pr, pc, testing::spelled(pr, pc, lr, lc));
      Case filtered;
      filtered.filter.eps = 60;
      expect_product<double>(comm, filtered, pr, pc, testing::spelled(pr, pc, lr, lc));
    });
  });
}

// As by messages, word for word. Windows grow and shrink with the matrices.
TEST(BlockProduct, IsTheSameOutOfWindows) {
  testing::in_groups([](const Comm& comm) {
    const char* const transport = one_sided_trouble(comm).empty() ? "one-sided" : "two-sided";
    testing::on_every_grid(comm, [&](Int pr, Int pc, Int lr, Int lc) {
      for (const Case& c : {Case{}, Case{20, 18, 25, 60}, Case{3, 2, 5}}) {
        const std::string algorithm = testing::spelled(pr, pc, lr, lc);
        const BlockProductReport by_messages = expect_product<double>(comm, c, pr, pc, algorithm, 2, -1, "two-sided"),
                                 fetched = expect_product<double>(comm, c, pr, pc, algorithm, 2, -1, "one-sided");
        EXPECT_EQ(by_messages.transport, "two-sided");
        EXPECT_EQ(fetched.transport, transport);
        EXPECT_EQ(fetched.received, by_messages.received) << algorithm;
        EXPECT_EQ(fetched.received_index, by_messages.received_index) << algorithm;
        EXPECT_EQ(fetched.messages, by_messages.messages) << algorithm;
        EXPECT_EQ(fetched.predicted, by_messages.predicted) << algorithm;
      }
    });
    Case c;
    c.filter.eps = 60, c.op_a = Op::adjoint;
    expect_product<std::complex<float>>(comm, c, comm.size(), 1, "", 2, 0, "one-sided");
  });
}

// Whatever is written for dense matrices multiplies panels.
TEST(BlockProduct, EqualsTheSerialOneByEveryAlgorithm) {
  const testing::Group group({4});
  if (!group.member()) return;
  for (const char* algorithm : {"summa 2x2 b=1", "summa 2x2 b=1 stationary=a", "hsumma 2x2 groups=1x2 M=1 b=1",
                                "cannon 2x2", "cannon 2x1x2", "summa25d 2x1x2 b=1", "agarwal3d 1x2x2", "carma 4",
                                "cosma pm2,pn2,sk2", "cosma pm2,pk2", "fetch25d 2x2 layers=2x1"}) {
    for (const char* transport : {"two-sided", "one-sided"})
      expect_product<double>(Comm(group.raw()), {}, 2, 2, algorithm, 2, -1, transport);
    Case filtered;
    filtered.filter.eps = 60;
    expect_product<double>(Comm(group.raw()), filtered, 2, 2, algorithm);
  }
}

// A schedule may use fewer ranks than C lies on: the others give their panels away and get their part of C.
TEST(BlockProduct, EqualsTheSerialOneOnFewerRanksThanThoseOfC) {
  const testing::Group group({6, 4});
  if (!group.member()) return;
  const Comm comm(group.raw());
  const Int pc = comm.size() / 2;
  const std::vector<std::string> algorithms{"cannon 1x3", "cosma pm3", "cosma pm2", "summa 1x3 b=1", "cosma pk3"};
  for (const std::string& algorithm : algorithms)
    for (const char* transport : {"two-sided", "one-sided"}) {
      expect_product<double>(comm, {}, 2, pc, algorithm, 2, -1, transport);
      Case filtered;
      filtered.filter.eps = 60;
      expect_product<double>(comm, filtered, 2, pc, algorithm, 2, 0, transport);
    }
  for (const std::string algorithm : {"cannon 1x3", "cosma pm3", "cosma pm2"}) {
    const BlockProductReport full = expect_product<double>(comm, {4, 4, 4, 100}, 2, pc, algorithm, 2, 0);
    EXPECT_EQ(full.predicted, static_cast<double>(full.received)) << algorithm;
  }
}

TEST(BlockProduct, EqualsTheSerialOneForAllTypesTransposesAndShapes) {
  testing::in_groups([](const Comm& comm) {
    for (Op a : {Op::none, Op::transpose, Op::adjoint})
      for (Op b : {Op::none, Op::transpose, Op::adjoint}) {
        Case c;
        c.op_a = a, c.op_b = b;
        expect_product<std::complex<double>>(comm, c, 1, comm.size(), "");
      }
    for (const Case& c : {Case{1, 1, 1, 100}, Case{1, 1, 1, 0}, Case{2, 30, 3}, Case{30, 1, 40}, Case{0, 5, 5},
                          Case{5, 5, 0}, Case{5, 0, 5}, Case{20, 20, 20, 3}, Case{9, 9, 9, 100}}) {
      expect_product<double>(comm, c, comm.size(), 1, "");
      expect_product<float>(comm, c, 1, comm.size(), "");
      expect_product<std::complex<float>>(comm, c, 1, 1, "");
    }
  });
}

TEST(BlockProduct, KeepsOrForgetsWhatWasThere) {
  testing::in_groups([](const Comm& comm) {
    for (double beta : {0.0, 1.0, -3.0})
      for (double alpha : {0.0, 1.0})
        for (const Filtered& filter : {Filtered{}, Filtered{0, true}, Filtered{20, false}})
          for (bool c_is_there : {true, false}) {
            Case c;
            c.filter = filter, c.c_is_there = c_is_there;
            expect_product<double>(comm, c, 1, comm.size(), "", alpha, beta);
          }
  });
}

// C is computed in some rows and columns only: elsewhere it stays, but for what a filter drops.
template <class T>
void expect_limited(const Comm& comm, const Filtered& filter, T beta, BlockRange rows, BlockRange cols,
                    BlockRange inner) {
  Product<T> p{Case{}};
  const BlockSparse<T> A = testing::distributed(comm, testing::transposed(p.A, Op::adjoint),
                                                BlockDistribution::dealt(13, 17, comm.size()).transposed()),
                       B = testing::distributed(comm, p.B, BlockDistribution::dealt(17, 11, comm.size()));
  for (T alpha : {T(2), T(0)}) {
    BlockSparse<T> C = testing::distributed(comm, p.C, BlockDistribution::dealt(13, 11, comm.size()));
    BlockProductOptions options;
    options.filter_eps = filter.eps, options.retain_sparsity = filter.retain;
    options.rows = rows, options.cols = cols, options.inner = inner;
    const Int done = multiply(Op::adjoint, Op::none, alpha, A, B, beta, C, options).products;
    Whole<T> expected = testing::cropped(p.C, rows, cols), rest = testing::cropped(p.C, rows, cols, true);
    const Int products = testing::multiply(alpha, testing::cropped(p.A, rows, inner),
                                           testing::cropped(p.B, inner, cols), beta, expected, filter);
    testing::multiply(T(0), p.A, p.B, T(1), rest, filter);
    expected.blocks.merge(rest.blocks);
    EXPECT_TRUE(testing::equal(C, expected));
    Int all = done;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT64_T, MPI_SUM, comm.raw());
    EXPECT_EQ(all, products);
  }
}

TEST(BlockProduct, ComputesOnlyWhatIsWithinItsLimits) {
  testing::in_groups([](const Comm& comm) {
    for (double beta : {0.0, -3.0})
      for (const Filtered& filter : {Filtered{}, Filtered{0, true}, Filtered{20, false}}) {
        expect_limited<double>(comm, filter, beta, {2, 9}, {0, 11}, {0, 17});
        expect_limited<double>(comm, filter, beta, {0, 13}, {3, 11}, {0, 17});
        expect_limited<double>(comm, filter, beta, {0, 13}, {0, 11}, {5, 12});
        expect_limited<std::complex<double>>(comm, filter, beta, {1, 12}, {0, 10}, {6, 17});
        expect_limited<float>(comm, filter, static_cast<float>(beta), {4, 4}, {0, 11}, {0, 17});
        expect_limited<float>(comm, filter, static_cast<float>(beta), {0, 13}, {0, 11}, {17, 17});
      }
  });
}

TEST(BlockProduct, DoesNotReadWhatBetaForgets) {
  const Comm comm = Comm::world();
  const BlockSizes sizes(comm.size() + 1, 2);
  const std::vector<double> one(4, 1), nan(4, std::numeric_limits<double>::quiet_NaN());
  for (double alpha : {0.0, 1.0}) {
    BlockSparse<double> A(comm, sizes, sizes), C = A;
    for (BlockIndex i = 0; i <= comm.size(); ++i)
      if (A.here(i, i)) A.put(i, i, one.data()), C.put(i, i, nan.data());
    multiply(Op::none, Op::none, alpha, A, A, 0.0, C, {.retain_sparsity = true});
    EXPECT_EQ(C.blocks(), comm.size() + 1);
    EXPECT_EQ(C.norm(Norm::max), 2 * alpha);
  }
}

TEST(BlockProduct, MayOverwriteItsOperands) {
  testing::in_groups([](const Comm& comm) {
    const BlockSizes sizes = testing::some_sizes(12, 1);
    const Whole<double> x = testing::some_blocks<double>(sizes, sizes, 40, 2);
    for (double beta : {0.0, 2.0}) {
      BlockSparse<double> X = testing::distributed(comm, x, BlockDistribution::dealt(12, 12, comm.size()));
      Whole<double> square = x;
      multiply(Op::none, Op::none, 1.0, X, X, beta, X);
      testing::multiply(1.0, x, x, beta, square);
      EXPECT_TRUE(testing::equal(X, square));
    }
  });
}

TEST(BlockProduct, ReceivesTheWordsThatFollowFromThePatterns) {
  testing::in_groups([](const Comm& comm) {
    testing::on_every_grid(comm, [&](Int pr, Int pc, Int lr, Int lc) {
      const BlockProductReport report = expect_product<double>(comm, {}, pr, pc, testing::spelled(pr, pc, lr, lc));
      const Product<double> p{Case{}};
      const Recount recount(comm, p.A, p.B, pr, pc, lr, lc);
      EXPECT_EQ(report.received, recount.of_operands() + recount.of_sums()) << report.algorithm;
      if (lr * lc == 1) {
        EXPECT_EQ(report.predicted, static_cast<double>(report.received)) << report.algorithm;
      }
    });
  });
}

// S·X with a diagonal X, as iterations begin: most ranks have a panel of X with nothing in it, and no use for those of
// S that it would be multiplied with.
TEST(BlockProduct, FetchesNothingThatMeetsNothing) {
  testing::in_groups([](const Comm& comm) {
    testing::on_every_grid(comm, [&](Int pr, Int pc, Int lr, Int lc) {
      Product<double> p{Case{13, 13, 13, 60}};
      p.B = Whole<double>{p.A.cols, p.A.cols, {}}, p.C = Whole<double>{p.A.rows, p.A.cols, {}};
      for (BlockIndex i = 0; i < 13; ++i)
        if (p.B.words(i, i) > 0) p.B.at(i, i).assign(static_cast<std::size_t>(p.B.words(i, i)), 3);
      const BlockDistribution where = BlockDistribution::dealt(13, 13, pr, pc);
      const auto put = [&](const Whole<double>& x) { return testing::distributed(comm, x, where); };
      BlockSparse<double> C = put(p.C);
      const BlockProductReport report = multiply(Op::none, Op::none, 1.0, put(p.A), put(p.B), 0.0, C,
                                                 {.algorithm = testing::spelled(pr, pc, lr, lc)});
      const Recount recount(comm, p.A, p.B, pr, pc, lr, lc);
      EXPECT_EQ(report.received, recount.of_operands() + recount.of_sums()) << report.algorithm;
      testing::multiply(1.0, p.A, p.B, 0.0, p.C);
      EXPECT_TRUE(testing::equal(C, p.C)) << report.algorithm;
      if (lr * lc > 1) return;
      BlockSparse<double> D = put(p.C);
      EXPECT_EQ(multiply(Op::none, Op::none, 1.0, put(p.A), put(p.B), 0.0, D).algorithm,
                testing::spelled(pr, pc, 1, 1));
      if (pr == 2 && pc == 2) {
        Int words[2] = {report.received, testing::distributed(comm, p.A, where).words()};
        MPI_Allreduce(MPI_IN_PLACE, words, 1, MPI_INT64_T, MPI_SUM, comm.raw());
        EXPECT_LT(words[0], words[1]) << "all of A would be received once without this";
      }
    });
  });
}

TEST(BlockProduct, BringsOperandsToTheResultsGrid) {
  testing::in_groups([](const Comm& comm) {
    Product<double> p{Case{}};
    const auto rotated = [&](Int rows, Int cols) {  // unlike any that is dealt
      BlockDistribution where = BlockDistribution::dealt(rows, cols, comm.size(), 1);
      for (BlockIndex& r : where.row) r = static_cast<BlockIndex>((r + 1) % comm.size());
      return where;
    };
    const BlockSparse<double> A = testing::distributed(comm, p.A, rotated(13, 17)),
                              B = testing::distributed(comm, p.B, rotated(17, 11));
    BlockSparse<double> C = testing::distributed(comm, p.C, BlockDistribution::dealt(13, 11, comm.size()));
    multiply(Op::none, Op::none, 1.0, A, B, 1.0, C);
    testing::multiply(1.0, p.A, p.B, 1.0, p.C);
    EXPECT_TRUE(testing::equal(C, p.C));
  });
}

TEST(BlockProduct, RefusesWhatDoesNotMatchOnEveryRank) {
  const Comm comm = Comm::world();
  const auto matrix = [&](Int rows, Int cols) {
    return BlockSparse<double>(comm, BlockSizes(static_cast<std::size_t>(rows), 3),
                               BlockSizes(static_cast<std::size_t>(cols), 3));
  };
  BlockSparse<double> C = matrix(4, 5);
  const auto refused = [&](const BlockSparse<double>& A, const BlockSparse<double>& B, const BlockProductOptions& o,
                           double alpha, const char* part) {
    testing::expect_refused_alike(
        comm, [&] { multiply(Op::none, Op::none, alpha, A, B, 0.0, C, o); }, part);
  };
  refused(matrix(4, 6), matrix(7, 5), {}, 1, "rows of op(B)");
  refused(matrix(3, 6), matrix(6, 5), {}, 1, "rows of C");
  refused(matrix(4, 6), matrix(6, 6), {}, 1, "columns of C");
  refused(matrix(4, 6), matrix(6, 5), {.filter_eps = -1}, 1, "filter_eps");
  refused(matrix(4, 6), matrix(6, 5), {.rows = {{2, 5}}}, 1, "rows: blocks 2 to 5, expected a range of 0 to 4");
  refused(matrix(4, 6), matrix(6, 5), {.cols = {{3, 2}}}, 1, "cols: blocks 3 to 2, expected a range of 0 to 5");
  refused(matrix(4, 6), matrix(6, 5), {.inner = {{-1, 6}}}, 1, "inner: blocks -1 to 6, expected a range of 0 to 6");
  refused(matrix(4, 6), matrix(6, 5), {.inner = {{0, comm.rank() == 0 ? 6 : 5}}}, 1, "expected the same on all ranks");
  refused(matrix(4, 6), matrix(6, 5), {.algorithm = "fetch25d"}, 1, "fetch25d");
  refused(matrix(4, 6), matrix(6, 5), {.algorithm = "nobody 4x4"}, 1, "unknown");
  refused(matrix(4, 6), matrix(6, 5), {.transport = "node-shared"}, 1,
          "transport: 'node-shared' is unknown, expected one of two-sided, one-sided");
  if (comm.size() == 16)
    refused(matrix(4, 6), matrix(6, 5), {.retain_sparsity = true, .algorithm = "fetch25d 4x4 layers=2x2"}, 1,
            "fetch25d on one layer");
  refused(matrix(4, 6), matrix(6, 5), {}, comm.rank() == 0 ? 1 : 2, "expected the same on all ranks");
  BlockProductOptions none_or_negative;
  if (comm.rank() == 0) none_or_negative.memory_words = -1;
  refused(matrix(4, 6), matrix(6, 5), none_or_negative, 1, "memory: -1 words, expected 0 or more");
  refused(BlockSparse<double>(Comm::self(), BlockSizes(4, 3), BlockSizes(6, 3)), matrix(6, 5), {}, 1,
          "A: on other ranks than C");
  const testing::Reversed reversed;
  refused(matrix(4, 6), BlockSparse<double>(Comm(reversed.raw), BlockSizes(6, 3), BlockSizes(5, 3)), {}, 1,
          "B: on other ranks than C, or in another order");
  const testing::Another another;
  BlockSparse<double> E(Comm(another.raw), C.rows(), C.cols());
  EXPECT_EQ(multiply(Op::none, Op::none, 1.0, matrix(4, 6), matrix(6, 5), 0.0, E).products, 0);
  BlockSparse<double> full = matrix(4, 4);
  const std::vector<double> block(9, 1.0);
  for (BlockIndex i = 0; i < 4; ++i)
    for (BlockIndex j = 0; j < 4; ++j)
      if (full.here(i, j)) full.put(i, j, block.data());
  BlockSparse<double> D = full;
  testing::expect_refused_alike<MemoryError>(
      comm, [&] { multiply(Op::none, Op::none, 1.0, full, full, 0.0, D, {.memory_words = 10}); }, "expected at least");
  EXPECT_EQ(D.blocks(), 16);
}

}  // namespace
}  // namespace cairn
