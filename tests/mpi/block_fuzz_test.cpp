// Products of block-sparse matrices of which everything is drawn at random: sizes, patterns, symmetries, maps, options
// and algorithms; against serial ones, block by block and bit by bit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "block_grids.hpp"
#include "distributed.hpp"
#include "symmetric_blocks.hpp"

namespace cairn {
namespace {

using testing::Whole;
using enum Symmetry;

/// The same numbers on all ranks.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  BlockIndex between(Int least, Int most) {
    return static_cast<BlockIndex>(least + static_cast<Int>(random_() % static_cast<std::uint64_t>(most - least + 1)));
  }
  bool one_in(Int times) { return between(1, times) == 1; }
  std::uint64_t seed() { return random_() % 1'000'000; }
  template <class T>
  T one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(between(0, std::ssize(all) - 1))];
  }

 private:
  std::mt19937_64 random_;
};

/// None, or some of them empty, or none of them, or rarely all.
BlockSizes sizes(Dice& dice) {
  BlockSizes all(dice.one_in(30) ? 0 : static_cast<std::size_t>(dice.between(1, 12)));
  const auto [least, most] = dice.one_of<std::pair<Int, Int>>({{0, 3}, {1, 7}, {0, 9}, {1, 3}});
  const Int often_empty = dice.one_in(30) ? 20 : dice.one_in(4) ? 2 : 1;
  for (BlockIndex& size : all) size = dice.one_in(often_empty) ? dice.between(least, most) : 0;
  return all;
}

/// On some of the ranks, numbered along rows or columns; a rank may have nothing, as all rows of ranks but one may.
BlockDistribution somewhere(Dice& dice, const BlockSizes& rows, const BlockSizes& cols, Int ranks) {
  const Int pr = dice.between(1, ranks), pc = dice.between(1, ranks / pr);
  BlockDistribution where = BlockDistribution::dealt(std::ssize(rows), std::ssize(cols), pr, pc);
  where.row_major = dice.one_in(2);
  if (dice.one_in(3)) return where;
  const bool one_row = dice.one_in(2);
  for (BlockIndex& row : where.row) row = one_row ? 0 : dice.between(0, pr - 1);
  for (BlockIndex& col : where.col) col = dice.between(0, pc - 1);
  return where;
}

/// Of A, or of B, with the rows or the columns of C, and an inner dimension that lies anyhow.
BlockDistribution beside(Dice& dice, BlockDistribution c, const BlockSizes& inner, bool left, Op op) {
  std::vector<BlockIndex>& k = left ? c.col : c.row;
  k.resize(inner.size());
  for (BlockIndex& at : k) at = dice.between(0, (left ? c.pc : c.pr) - 1);
  return op == Op::none ? c : c.transposed();
}

std::optional<BlockRange> limit(Dice& dice, const BlockSizes& sizes) {
  if (!dice.one_in(4)) return {};
  const BlockIndex from = dice.between(0, std::ssize(sizes));
  return BlockRange{from, dice.between(from, std::ssize(sizes))};
}
BlockRange within(const std::optional<BlockRange>& limit, const BlockSizes& sizes) {
  return limit.value_or(BlockRange{0, static_cast<BlockIndex>(sizes.size())});
}

/// One that may multiply panels of C on such a grid, or none, which leaves it open.
std::string algorithm(Dice& dice, Int pr, Int pc) {
  std::vector<std::string> layers;
  for (Int lr = 1; lr <= pr; ++lr)
    for (Int lc = 1; lc <= pc; ++lc)
      if (pr % lr == 0 && pc % lc == 0 && std::lcm(pr, pc) % (lr * lc) == 0)
        layers.push_back(testing::spelled(pr, pc, lr, lc));
  return dice.one_of<std::string>({"", "", fmt::format("cannon {}x{}", pr, pc), fmt::format("summa {}x{} b=1", pr, pc),
                                   dice.one_of(layers), fmt::format("cosma pk{}", dice.between(1, pr * pc)),
                                   fmt::format("summa25d {}x{}x1 b=1", pr, pc),
                                   fmt::format("fetch25d {}x{} crossed", pr, pc)});
}

template <class T>
struct Case {
  Op op_a, op_b;
  Symmetry a = general, b = general;
  Whole<T> A, B, C;  // as they are stored, but with all blocks
  BlockDistribution of_a, of_b, of_c;
  T alpha, beta;
  BlockProductOptions options;

  Case(Dice& dice, Int ranks) {
    BlockSizes m = sizes(dice), n = sizes(dice), k = sizes(dice);
    const std::vector<Op> ops{Op::none, Op::transpose, Op::adjoint};
    op_a = dice.one_of(ops), op_b = dice.one_of(ops);
    if (dice.one_in(3)) {
      const std::vector<Symmetry> all{general, symmetric, antisymmetric, hermitian};
      n = k = m, a = dice.one_of(all), b = dice.one_of(all);
      if constexpr (std::is_floating_point_v<T>)
        for (Symmetry* const x : {&a, &b})
          if (*x == hermitian) *x = symmetric;
    }
    A = matrix(dice, a, op_a == Op::none ? m : k, op_a == Op::none ? k : m);
    B = matrix(dice, b, op_b == Op::none ? k : n, op_b == Op::none ? n : k);
    C = matrix(dice, general, m, n);
    of_a = somewhere(dice, A.rows, A.cols, ranks), of_b = somewhere(dice, B.rows, B.cols, ranks);
    of_c = somewhere(dice, C.rows, C.cols, ranks);
    if (dice.one_in(4)) of_a = beside(dice, of_c, k, true, op_a), of_b = beside(dice, of_c, k, false, op_b);
    alpha = dice.one_in(10) ? T(0) : T(static_cast<float>(dice.between(1, 2)));
    beta = T(static_cast<float>(dice.between(-1, 2)));
    options.filter_eps = dice.one_of<double>({0, 0, 0, 0, 10, 20, 40, 200}), options.retain_sparsity = dice.one_in(5);
    options.rows = limit(dice, m), options.cols = limit(dice, n), options.inner = limit(dice, k);
    options.transport = dice.one_in(2) ? "one-sided" : "two-sided";
    options.threads = dice.one_in(4) ? 2 : 0;
    options.algorithm = algorithm(dice, of_c.pr, of_c.pc);
    if (dice.one_in(4)) options.memory_words = dice.one_in(4) ? dice.between(0, 400) : 1'000'000;
  }
  static Whole<T> matrix(Dice& dice, Symmetry symmetry, const BlockSizes& rows, const BlockSizes& cols) {
    const auto percent = dice.one_of<std::uint64_t>({0, 10, 30, 30, 50, 70, 70, 100, 100, 100});
    if (symmetry != general) return testing::some_symmetric_blocks<T>(symmetry, rows, percent, dice.seed());
    return testing::some_blocks<T>(rows, cols, percent, dice.seed());
  }
};

/// What C becomes, and the number of products of blocks.
template <class T>
std::pair<Whole<T>, Int> expected(const Case<T>& x) {
  const Whole<T> A = testing::transposed(x.A, x.op_a), B = testing::transposed(x.B, x.op_b);
  const BlockRange rows = within(x.options.rows, A.rows), cols = within(x.options.cols, B.cols),
                   inner = within(x.options.inner, A.cols);
  const testing::Filtered filter{x.options.filter_eps, x.options.retain_sparsity};
  Whole<T> part = testing::cropped(x.C, rows, cols), rest = testing::cropped(x.C, rows, cols, true);
  const Int products = testing::multiply(x.alpha, testing::cropped(A, rows, inner), testing::cropped(B, inner, cols),
                                         x.beta, part, filter);
  testing::multiply(T(0), A, B, T(1), rest, filter);
  part.blocks.merge(rest.blocks);
  return {part, products};
}

// A product that is refused leaves C as it was.
template <class T>
void expect_product(const Comm& comm, std::uint64_t seed) {
  Dice dice(seed);
  const Case<T> x(dice, comm.size());
  const BlockSparse<T> A = testing::distributed(comm, x.A, x.of_a, x.a),
                       B = testing::distributed(comm, x.B, x.of_b, x.b);
  BlockSparse<T> C = testing::distributed(comm, x.C, x.of_c);
  const std::string what = fmt::format("seed {}, {} ranks, '{}'", seed, comm.size(), x.options.algorithm);
  std::string refused;
  BlockProductReport report;
  try {
    report = multiply(x.op_a, x.op_b, x.alpha, A, B, x.beta, C, x.options);
  } catch (const MemoryError& e) {
    refused = e.what();
    EXPECT_TRUE(x.options.memory_words) << what << ": " << refused;
  } catch (const ArgumentError& e) {
    refused = e.what();
    EXPECT_TRUE(x.options.retain_sparsity && !x.options.algorithm.empty()) << what << ": " << refused;
    EXPECT_NE(refused.find("adds up C from several ranks"), std::string::npos) << what << ": " << refused;
  }
  EXPECT_NO_THROW(comm.agree_same("refusal", refused)) << what << ": " << refused;
  if (!refused.empty()) {
    EXPECT_TRUE(testing::equal(C, x.C)) << what << ": " << refused;
    return;
  }
  const auto [result, products] = expected(x);
  EXPECT_TRUE(testing::equal(C, result)) << what << ": " << report.algorithm;
  Int done = report.products;
  MPI_Allreduce(MPI_IN_PLACE, &done, 1, MPI_INT64_T, MPI_SUM, comm.raw());
  EXPECT_EQ(done, products) << what << ": " << report.algorithm;
}

TEST(BlockFuzz, ProductsEqualTheSerialOnes) {
  const std::uint64_t cases = testing::everything() ? 160 : 8;
  testing::in_groups([&](const Comm& comm) {
    for (std::uint64_t i = 0; i < cases; i += 4) {
      const std::uint64_t seed = static_cast<std::uint64_t>(comm.size()) * 1'000'000 + i;
      expect_product<double>(comm, seed);
      expect_product<float>(comm, seed + 1);
      expect_product<std::complex<double>>(comm, seed + 2);
      expect_product<std::complex<float>>(comm, seed + 3);
    }
  });
}

}  // namespace
}  // namespace cairn
