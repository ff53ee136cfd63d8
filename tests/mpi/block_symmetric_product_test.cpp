// Products of block-sparse matrices of which one or more store half of their blocks, against serial ones of all blocks.
#include <gtest/gtest.h>

#include "block_grids.hpp"
#include "block_recount.hpp"
#include "distributed.hpp"
#include "symmetric_blocks.hpp"

namespace cairn {
namespace {

using testing::Filtered;
using testing::on_every_grid;
using testing::spelled;
using testing::Whole;
using enum Symmetry;
using Z = std::complex<double>;

constexpr Int order = 13;

template <class T>
Whole<T> some(Symmetry symmetry, std::uint64_t seed) {
  return testing::some_symmetric_blocks<T>(symmetry, testing::some_sizes(order, 7), 25, seed);
}
BlockDistribution dealt(Int pr, Int pc) { return BlockDistribution::dealt(order, order, pr, pc); }

// What C stores of the result: of a block on the diagonal the mean of it and its mirror image.
template <class T>
Whole<T> as_stored(Symmetry symmetry, Whole<T> x, const Filtered& filter) {
  if (symmetry == general) return x;
  for (auto& [place, block] : x.blocks) {
    if (place.first != place.second) continue;
    const auto n = static_cast<std::size_t>(x.rows[static_cast<std::size_t>(place.first)]);
    const std::vector<T> old = block;
    for (std::size_t c = 0; c < n; ++c)
      for (std::size_t r = 0; r < n; ++r)
        block[r + c * n] = (old[r + c * n] + testing::image(symmetry, old[c + r * n])) / T(2);
  }
  if (!filter.retain)
    std::erase_if(x.blocks, [&](const auto& block) { return testing::frobenius(block.second) < filter.eps; });
  return x;
}

template <class T>
struct Case {
  Symmetry a = symmetric, b = symmetric, c = symmetric;
  Op op_a = Op::none, op_b = Op::none;
  T alpha = T(2), beta = T(-1);
  Filtered filter{};
  BlockProductOptions options{};
  bool same = false;  // B is A

  Whole<T> A() const { return some<T>(a, 1); }
  Whole<T> B() const { return same ? A() : some<T>(b, 2); }
  Whole<T> C() const { return testing::stored(c, some<T>(c, 3)); }
};

// Whatever A and B are, C gets the blocks of their product that it stores.
template <class T>
BlockProductReport expect_product(const Comm& comm, Case<T> x, const BlockDistribution& operands,
                                  const BlockDistribution& result) {
  const Whole<T> a = x.A(), b = x.B();
  Whole<T> c = x.C();
  const BlockSparse<T> A = testing::distributed(comm, a, operands, x.a),
                       B = testing::distributed(comm, b, operands, x.b);
  BlockSparse<T> C = testing::distributed(comm, c, result, x.c);
  x.options.filter_eps = x.filter.eps, x.options.retain_sparsity = x.filter.retain;
  const BlockProductReport report = multiply(x.op_a, x.op_b, x.alpha, A, x.same ? A : B, x.beta, C, x.options);
  x.filter.upper = x.c != general;
  const BlockRange all{0, order}, rows = x.options.rows.value_or(all), cols = x.options.cols.value_or(all),
                                  inner = x.options.inner.value_or(all);
  Whole<T> part = testing::cropped(c, rows, cols), rest = testing::cropped(c, rows, cols, true);
  const Int products =
      testing::multiply(x.alpha, testing::cropped(testing::transposed(a, x.op_a), rows, inner),
                        testing::cropped(testing::transposed(b, x.op_b), inner, cols), x.beta, part, x.filter);
  part.blocks.merge(rest.blocks);
  EXPECT_TRUE(testing::equal(C, as_stored(x.c, part, x.filter)))
      << report.algorithm << " " << name_of(x.a) << " " << name_of(x.b) << " " << name_of(x.c);
  Int done = report.products;
  MPI_Allreduce(MPI_IN_PLACE, &done, 1, MPI_INT64_T, MPI_SUM, comm.raw());
  EXPECT_EQ(done, products) << report.algorithm;
  return report;
}

Case<double> filtered(double eps) {
  Case<double> x;
  x.filter.eps = eps;
  return x;
}

TEST(BlockSymmetricProduct, EqualsTheSerialOneOnEveryGridAndNumberOfLayersAndReceivesWhatItMust) {
  testing::in_groups([](const Comm& comm) {
    on_every_grid(comm, [&](Int pr, Int pc, Int lr, Int lc) {
      for (bool same : {true, false}) {
        Case<double> x;
        x.options.algorithm = spelled(pr, pc, lr, lc), x.same = same;
        const BlockProductReport report = expect_product(comm, x, dealt(pr, pc), dealt(pr, pc));
        const Whole<double> a = x.A(), b = x.B();
        const testing::Recount recount(comm, a, b, pr, pc, lr, lc, true);
        EXPECT_EQ(report.received, recount.of_operands() + recount.of_sums()) << report.algorithm;
        if (lr * lc == 1) {
          EXPECT_EQ(report.predicted, static_cast<double>(report.received)) << report.algorithm;
        }
      }
      Case<double> small = filtered(60);
      small.options.algorithm = spelled(pr, pc, lr, lc);
      expect_product(comm, small, dealt(pr, pc), dealt(pr, pc));
    });
  });
}

TEST(BlockSymmetricProduct, EqualsTheSerialOneByEveryAlgorithm) {
  const testing::Group group({4});
  if (!group.member()) return;
  for (const char* algorithm : {"summa 2x2 b=1", "summa 2x2 b=1 stationary=a", "hsumma 2x2 groups=1x2 M=1 b=1",
                                "cannon 2x2", "cannon 2x1x2", "agarwal3d 1x2x2", "carma 4", "cosma pm2,pk2"}) {
    Case<double> x = filtered(60);
    x.options.algorithm = algorithm;
    expect_product(Comm(group.raw()), x, dealt(2, 2), dealt(2, 2));
  }
}

// Every kind with every other, with all ops and types in turn, a third of them on each number of ranks.
TEST(BlockSymmetricProduct, TakesEveryKindOfMatrix) {
  constexpr Symmetry kinds[] = {general, symmetric, antisymmetric, hermitian};
  constexpr Op ops[] = {Op::none, Op::transpose, Op::adjoint};
  testing::in_groups([&](const Comm& comm) {
    std::size_t turn = 0;
    const auto ranks = static_cast<std::size_t>(comm.size());
    for (Symmetry a : kinds)
      for (Symmetry b : kinds)
        for (Symmetry c : kinds) {
          const auto expect = [&]<class T>(T, const BlockDistribution& operands, const BlockDistribution& result) {
            Case<T> x;
            x.a = a, x.b = b, x.c = c, x.op_a = ops[turn % 3], x.op_b = ops[turn / 3 % 3];
            x.filter.eps = turn % 2 == 0 ? 40 : 0;
            expect_product<T>(comm, x, operands, result);
          };
          const BlockDistribution square = BlockDistribution::dealt(order, order, comm.size()),
                                  flat = dealt(1, comm.size()), one = dealt(1, 1);
          if ((++turn + ranks) % 3 != 0) continue;
          switch (turn % 5) {
            case 0: expect(float(), square, square); break;
            case 1: expect(double(), flat, square); break;
            case 2: expect(std::complex<float>(), one, flat); break;
            case 3: expect(Z(), square, one); break;
            default: expect(Z(), square, square);
          }
        }
  });
}

TEST(BlockSymmetricProduct, KeepsWhatIsAskedFor) {
  testing::in_groups([](const Comm& comm) {
    const BlockDistribution where = BlockDistribution::dealt(order, order, comm.size());
    for (double alpha : {1.0, 0.0})
      for (double beta : {0.0, -3.0})
        for (const Filtered& filter : {Filtered{}, Filtered{0, true}, Filtered{20, false}}) {
          Case<double> x;
          x.alpha = alpha, x.beta = beta, x.filter = filter;
          expect_product(comm, x, where, where);
          x.options.rows = x.options.cols = {{3, 11}}, x.options.inner = {{1, 9}};
          expect_product(comm, x, where, where);
          x.options.threads = 3;
          expect_product(comm, x, where, where);
        }
    for (double beta : {0.0, 2.0}) {
      const Whole<double> x = some<double>(symmetric, 4);
      BlockSparse<double> X = testing::distributed(comm, x, where, symmetric);
      multiply(Op::none, Op::none, 1.0, X, X, beta, X);
      Whole<double> square = x;
      testing::multiply(1.0, x, x, beta, square);
      EXPECT_TRUE(testing::equal(X, testing::upper(square)));
    }
  });
}

// Half of the operations of a dense product, and of the words of a sum.
TEST(BlockSymmetricProduct, CostsHalf) {
  testing::in_groups([](const Comm& comm) {
    const BlockSizes sizes(32, 2);
    const Whole<double> ones = [&] {
      Whole<double> x{sizes, sizes, {}};
      for (BlockIndex i = 0; i < 32; ++i)
        for (BlockIndex j = 0; j < 32; ++j) x.at(i, j).assign(4, 1);
      return x;
    }();
    const BlockDistribution where = BlockDistribution::dealt(32, 32, comm.size());
    const auto product = [&](Symmetry symmetry) {
      const BlockSparse<double> X = testing::distributed(comm, ones, where, symmetry);
      BlockSparse<double> C(comm, sizes, sizes, where, symmetry);
      const BlockProductReport report = multiply(Op::none, Op::none, 1.0, X, X, 0.0, C);
      EXPECT_EQ(C.norm(Norm::max), 64);
      std::array<double, 2> sums{static_cast<double>(report.flops), static_cast<double>(C.words())};
      MPI_Allreduce(MPI_IN_PLACE, sums.data(), 1, MPI_DOUBLE, MPI_SUM, comm.raw());
      return sums;
    };
    const auto half = product(symmetric), all = product(general);
    EXPECT_EQ(half[0] / all[0], 33.0 / 64);
    EXPECT_EQ(half[1] / all[1], 33.0 / 64);
  });
}

TEST(BlockSymmetricProduct, TheMemoryThatARefusalNamesSuffices) {
  testing::in_groups([](const Comm& comm) {
    const BlockDistribution where = BlockDistribution::dealt(order, order, comm.size());
    Case<double> x;
    x.options.memory_words = 1;
    std::string said;
    try {
      expect_product(comm, x, where, where);
    } catch (const MemoryError& e) {
      said = e.what();
    }
    const std::size_t at = said.find("at least ");
    ASSERT_NE(at, std::string::npos) << said;
    x.options.memory_words = std::stoll(said.substr(at + 9));
    expect_product(comm, x, where, where);
    --*x.options.memory_words;
    EXPECT_THROW(expect_product(comm, x, where, where), MemoryError);
  });
}

TEST(BlockSymmetricProduct, RefusesWhatHasNotTheSymmetryOnEveryRank) {
  const Comm comm = Comm::world();
  const BlockSizes sizes(4, 2);
  BlockSparse<Z> A(comm, sizes, sizes, hermitian), C = A;
  const std::vector<Z> block(4, Z(1));
  if (C.here(1, 2)) C.put(1, 2, block.data());
  const auto refused = [&](Z beta, const BlockProductOptions& options, const char* part) {
    testing::expect_refused_alike(
        comm, [&] { multiply(Op::none, Op::none, Z(1), A, A, beta, C, options); }, part);
  };
  refused(Z(0, 1), {}, "beta: a complex number, expected a real one for a matrix that is Hermitian");
  refused(0, {.rows = {{0, 2}}}, "cols: other blocks than those of rows, expected the same where C is Hermitian");
  refused(0, {.algorithm = " cosma "}, "algorithm: ' cosma ', expected a whole spelling with its grid");
  EXPECT_EQ(C.blocks(), 1);
  multiply(Op::none, Op::none, Z(1), A, A, Z(1), C, {.rows = {{0, 4}}});  // all of them, as without cols
  EXPECT_EQ(C.blocks(), 1);
}

}  // namespace
}  // namespace cairn
