// Block-sparse matrices over MPI.
#include "cairn/block_sparse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <ranges>

#include "block_grids.hpp"
#include "block_sparse.hpp"
#include "distributed.hpp"

namespace cairn {
namespace {

using testing::Whole;

template <class T>
Whole<T> square(std::uint64_t seed) {
  const BlockSizes sizes = testing::some_sizes(14, 7);
  return testing::some_blocks<T>(sizes, sizes, 30, seed);
}

TEST(BlockSparse, HoldsWhatWasPut) {
  testing::in_groups([](const Comm& comm) {
    const Whole<double> x = square<double>(1);
    BlockSparse<double> A = testing::distributed(comm, x, BlockDistribution::dealt(14, 14, comm.size()));
    EXPECT_TRUE(testing::equal(A, x));
    EXPECT_EQ(A.blocks(), static_cast<Int>(x.blocks.size()));
    A.for_each([&](BlockIndex i, BlockIndex j, MatrixView<double> block) {
      EXPECT_EQ(x.blocks.at({i, j}).back(), block(block.rows - 1, block.cols - 1));
    });
    for (const auto& [place, block] : x.blocks)
      if (A.here(place.first, place.second)) A.add(place.first, place.second, block.data());
    std::vector<std::pair<BlockIndex, BlockIndex>> places;
    for (BlockIndex i = 0; i < 14; ++i)
      if (A.here(i, i)) places.emplace_back(i, i);
    A.reserve(places);
    Whole<double> twice = x;
    for (auto& [place, block] : twice.blocks)
      for (double& v : block) v *= 2;
    for (BlockIndex i = 0; i < 14; ++i)
      if (twice.words(i, i) > 0) twice.at(i, i);
    EXPECT_TRUE(testing::equal(A, twice));
    A.filter(0.5);
    EXPECT_EQ(A.blocks(), static_cast<Int>(std::count_if(twice.blocks.begin(), twice.blocks.end(), [](const auto& b) {
                return testing::frobenius(b.second) >= 0.5;
              })));
  });
}

static_assert(std::forward_iterator<BlockIterator<double>> && std::forward_iterator<BlockIterator<const double>>);
static_assert(std::ranges::forward_range<BlockSparse<double>> && std::ranges::forward_range<const BlockSparse<float>>);

TEST(BlockSparse, IsARangeOfItsBlocks) {
  const Comm comm = Comm::world();
  const Whole<double> x = square<double>(1);
  BlockSparse<double> A = testing::distributed(comm, x, BlockDistribution::dealt(14, 14, comm.size()));
  for (auto&& block : A)
    for (Int w = 0; w < block.values.rows * block.values.cols; ++w) block.values.data[w] *= 2;
  const BlockSparse<double>& same = A;
  auto at = same.begin();
  same.for_each([&](BlockIndex i, BlockIndex j, MatrixView<const double> block) {
    const auto [row, col, values] = *at;
    EXPECT_EQ(std::pair(row, col), std::pair(i, j));
    EXPECT_EQ(values.data, block.data);
    EXPECT_EQ(values(values.rows - 1, values.cols - 1), 2 * x.blocks.at({i, j}).back());
    EXPECT_NE(at++, same.end());
  });
  EXPECT_EQ(at, same.end());
  EXPECT_EQ(std::ranges::distance(A), same.local().blocks());
  A.clear();
  EXPECT_EQ(A.begin(), A.end());
  if (A.here(3, 3)) A.put(3, 3, std::vector<double>(25).data());
  for (const auto& [i, j, values] : same) EXPECT_EQ(std::pair(i, j), std::pair(3, 3));

  Blocks<double> sparse;  // with rows that hold no block
  sparse.rows = {0, 1, 2}, sparse.first = {0, 0, 1, 1}, sparse.cols = {1}, sparse.at = {0}, sparse.values.assign(4, 5);
  BlockSparse<double> B(Comm::self(), BlockSizes(3, 2), BlockSizes(3, 2));
  B.assign(sparse);
  ASSERT_EQ(std::ranges::distance(B), 1);
  EXPECT_EQ((*B.begin()).row, 1);
  EXPECT_EQ((*B.begin()).values(1, 1), 5);
}

TEST(BlockSparse, ComesBackFromTransposesOtherGridsAndDenseMatrices) {
  using T = std::complex<double>;
  testing::in_groups([](const Comm& comm) {
    const Whole<T> x = square<T>(2);
    const BlockDistribution where = BlockDistribution::dealt(14, 14, comm.size());
    const BlockSparse<T> A = testing::distributed(comm, x, where);
    EXPECT_TRUE(testing::equal(A.transposed(), testing::transposed(x, Op::transpose)));
    EXPECT_TRUE(testing::equal(A.transposed(Op::adjoint), testing::transposed(x, Op::adjoint)));
    EXPECT_TRUE(testing::equal(A.transposed(Op::none), x));
    EXPECT_TRUE(testing::equal(A.redistributed(BlockDistribution::dealt(14, 14, 1, comm.size())), x));
    EXPECT_TRUE(testing::equal(A.redistributed(BlockDistribution::dealt(14, 14, 1, 1)), x));
    const DistMatrix<T> dense = A.to_dense();
    const auto rows = DistMatrix<T>::own(Layout::row_blocks(A.m(), A.n(), comm.size()), comm.rank());
    redistribute(comm, dense, rows);
    EXPECT_TRUE(testing::equal(
        BlockSparse<T>::from_dense(comm, rows, x.rows, x.cols, BlockDistribution::dealt(14, 14, comm.size(), 1)), x));
  });
}

TEST(BlockSparse, SumsAndNormsAreThoseOfTheWholeMatrix) {
  using T = std::complex<double>;
  testing::in_groups([](const Comm& comm) {
    const Whole<T> x = square<T>(3), y = square<T>(4);
    BlockSparse<T> A = testing::distributed(comm, x, BlockDistribution::dealt(14, 14, comm.size()));
    const BlockSparse<T> B = testing::distributed(comm, y, BlockDistribution::dealt(14, 14, comm.size(), 1));
    T trace(0), dot(0);
    double squares = 0, most = 0;
    std::map<std::pair<BlockIndex, std::size_t>, double> rows, radii, centres;
    for (const auto& [place, block] : x.blocks) {
      const auto height = static_cast<std::size_t>(x.rows[static_cast<std::size_t>(place.first)]);
      for (std::size_t w = 0; w < block.size(); ++w) {
        const bool on_diagonal = place.first == place.second && w % height == w / height;
        if (on_diagonal) trace += block[w];
        if (const auto other = y.blocks.find(place); other != y.blocks.end())
          dot += std::conj(block[w]) * other->second[w];
        squares += std::norm(block[w]), most = std::max(most, std::abs(block[w]));
        const auto row = std::pair(place.first, w % height);
        rows[row] += std::abs(block[w]);
        radii[row] += on_diagonal ? 0 : std::abs(block[w]);
        centres[row] += on_diagonal ? block[w].real() : 0;
      }
    }
    double largest = 0, low = 0, high = 0;  // there are rows without elements
    for (const auto& [row, sum] : rows) largest = std::max(largest, sum);
    for (const auto& [row, radius] : radii)
      low = std::min(low, centres[row] - radius), high = std::max(high, centres[row] + radius);
    EXPECT_EQ(A.trace(), trace);
    EXPECT_EQ(A.dot(B), dot);
    EXPECT_EQ(A.norm(Norm::frobenius), std::sqrt(squares));
    EXPECT_EQ(A.norm(Norm::max), most);
    EXPECT_NEAR(A.norm(Norm::gershgorin), largest, 1e-12 * largest);
    BlockSparse<T> moved = A;  // circles move along the imaginary axis, and none grows
    moved.add_to_diagonal(T(0, 1000));
    for (const BlockSparse<T>* X : {&A, &moved}) {
      EXPECT_NEAR(X->gershgorin()[0], low, 1e-12 * largest);
      EXPECT_NEAR(X->gershgorin()[1], high, 1e-12 * largest);
    }
    A.add(T(2), B);
    A.scale(T(3));
    A.add_to_diagonal(T(5));
    T expected(0);
    for (BlockIndex i = 0; i < 14; ++i) expected += 5.0 * x.rows[static_cast<std::size_t>(i)];
    EXPECT_EQ(A.trace(), 3.0 * (trace + 2.0 * B.trace()) + expected);
  });
}

// Of blocks of two equal elements, and of a matrix that has one on each place of the diagonal.
TEST(BlockSparse, NormsDoNotOverflowOrVanish) {
  const Comm comm = Comm::world();
  const BlockSizes rows(8, 2), cols(8, 1);
  for (const double size : {1e-320, 1e-170, 1e-150, 1.0, 1e150, 1e170, 1e306}) {
    BlockSparse<double> A(comm, rows, cols);
    BlockSparse<std::complex<double>> Z(comm, rows, cols);
    const std::vector<double> block(2, -size);
    const std::vector<std::complex<double>> of_z(2, {0, size});
    for (BlockIndex i = 0; i < 8; ++i)
      if (A.here(i, i)) A.put(i, i, block.data()), Z.put(i, i, of_z.data());
    const double within = size < 1e-300 ? 1e-323 : 4e-16 * size;
    EXPECT_NEAR(A.norm(Norm::frobenius), 4 * size, 4 * within) << size;
    EXPECT_NEAR(Z.norm(Norm::frobenius), 4 * size, 4 * within) << size;
    A.filter(std::sqrt(2.0) * size * (size < 1e-300 ? 0.99 : 1 - 1e-15));
    Z.filter(size);
    EXPECT_EQ(A.blocks() + Z.blocks(), 16) << size;
    A.filter(1.42 * size);
    EXPECT_EQ(A.blocks(), 0) << size;
  }
  BlockSparse<std::complex<float>> large(comm, BlockSizes(8, 1), cols);  // whose modulus is no float
  const std::complex<float> element(3e38F, 3e38F);
  for (BlockIndex i = 0; i < 8; ++i)
    if (large.here(i, i)) large.put(i, i, &element);
  for (Norm which : {Norm::max, Norm::gershgorin}) EXPECT_NEAR(large.norm(which), std::sqrt(18e76), 1e32);
  BlockSparse<double> A(comm, rows, cols);
  EXPECT_EQ(A.norm(Norm::frobenius), 0);
  const auto norm_with = [&](double x) {
    A.clear();
    if (A.here(0, 0)) A.put(0, 0, std::array{x, 1e300}.data());
    return A.norm(Norm::frobenius);
  };
  EXPECT_EQ(norm_with(std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(norm_with(std::numeric_limits<double>::quiet_NaN())));
  A.filter(1);
  EXPECT_EQ(A.blocks(), 1);
}

TEST(BlockSparse, GershgorinOfAMatrixWithNaNIsNaN) {
  const Comm comm = Comm::world();
  const BlockSizes sizes(5, 2);
  for (BlockIndex with = 0; with < 5; ++with)
    for (std::size_t element = 0; element < 4; ++element) {
      BlockSparse<double> A(comm, sizes, sizes);
      for (BlockIndex i = 0; i < 5; ++i) {
        std::array<double, 4> block{1, 2, 3, 4};
        if (i == with) block[element] = std::numeric_limits<double>::quiet_NaN();
        if (A.here(i, i)) A.put(i, i, block.data());
      }
      for (const double end : A.gershgorin()) EXPECT_TRUE(std::isnan(end)) << with << " " << element;
    }
}

// 1e-170 times 1e-20 is not small beside 1e-200, though its square is 0.
TEST(BlockSparse, FiltersOfProductsTakeNormsAsTheyAre) {
  const Comm comm = Comm::world();
  const BlockSizes sizes(8, 2);
  BlockSparse<double> A(comm, sizes, sizes), B = A, C = A;
  A.add_to_diagonal(1e-170), B.add_to_diagonal(1e-20);
  multiply(Op::none, Op::none, 1.0, A, B, 0.0, C, {.filter_eps = 1e-200});
  EXPECT_EQ(C.blocks(), 8);
  multiply(Op::none, Op::none, 1.0, A, B, 0.0, C, {.filter_eps = 1e-180});
  EXPECT_EQ(C.blocks(), 0);
}

TEST(BlockSparse, RefusesWhatIsNotThereOrNotItsOwn) {
  const Comm comm = Comm::world();
  const BlockSizes sizes(6, 2);
  BlockSparse<double> A(comm, sizes, sizes);
  const std::vector<double> block(4);
  const auto refused = [&](BlockIndex i, BlockIndex j) {
    return testing::refusal<ArgumentError>([&] { A.put(i, j, block.data()); });
  };
  EXPECT_NE(refused(6, 0).find("expected one of 6x6"), std::string::npos);
  EXPECT_NE(refused(0, -1).find("expected one of 6x6"), std::string::npos);
  if (A.here(0, 0)) {
    EXPECT_EQ(testing::refusal<ArgumentError>([&] { A.put(0, 0, nullptr); }), "block: null, expected 4 elements");
  }
  if (comm.size() > 1) {
    BlockIndex j = 0;
    while (A.here(0, j) && j + 1 < 6) ++j;
    EXPECT_NE(refused(0, j).find("belongs to rank"), std::string::npos);
  }
  const auto refused_alike = [&](BlockSizes rows, BlockDistribution where, const char* part) {
    testing::expect_refused_alike(
        comm, [&] { BlockSparse<double>(comm, rows, sizes, where); }, part);
  };
  refused_alike({1, -1}, BlockDistribution::dealt(2, 6, 1, 1), "expected 0 or more");
  refused_alike({1, 1}, BlockDistribution::dealt(3, 6, 1, 1), "where: 3 rows of blocks, expected 2");
  refused_alike({1, 1}, {1, 1, {0, 1}, std::vector<BlockIndex>(6)}, "expected one of 0..0");
  refused_alike({1, 1}, BlockDistribution::dealt(2, 6, comm.size(), 2), "expected one of 1 to");
  refused_alike({1, comm.rank()}, BlockDistribution::dealt(2, 6, 1, 1), "expected the same on all ranks");
  testing::expect_refused_alike(
      comm,
      [&] {
        BlockSparse<double>(comm, {2, 2}, sizes).trace();
      },
      "diagonal");
  testing::expect_refused_alike(
      comm,
      [&] {
        A.dot(BlockSparse<double>(comm, {2, 2}, sizes));
      },
      "expected the same");
}

TEST(BlockSparse, TakesBlocksOfItself) {
  const BlockSizes sizes(40, 4);
  BlockSparse<double> A(Comm::self(), sizes, sizes);
  const std::vector<double> block(16, 1.5);
  A.put(0, 0, block.data());
  for (BlockIndex i = 1; i < 40; ++i)
    if (i % 2 == 0)
      A.put(i, i, A.find(i - 1, i - 1).data);
    else
      A.add(i, i, A.find(i - 1, i - 1).data);
  A.for_each([&](BlockIndex i, BlockIndex, MatrixView<double> x) {
    EXPECT_TRUE(std::equal(block.begin(), block.end(), x.data)) << i;
  });
  EXPECT_EQ(A.blocks(), 40);
}

TEST(BlockSparse, AssignsOnlyBlocksThatItStoresOnThisRank) {
  const Comm comm = Comm::world();
  const BlockSizes sizes(4, 2);
  BlockSparse<double> A(comm, sizes, sizes);
  A.add_to_diagonal(1);
  const auto blocks = [](std::vector<std::pair<BlockIndex, BlockIndex>> places, std::size_t values) {
    Blocks<double> x;
    for (const auto& [i, j] : places) x.append(i, j, 4 * x.blocks());
    x.values.assign(values, 2);
    return x;
  };
  const auto refused = [&](const Blocks<double>& x, const std::string& part) {
    const std::string said = testing::refusal<ArgumentError>([&] { A.assign(x); });
    EXPECT_NE(said.find(part), said.npos) << said;
  };
  std::vector<std::pair<BlockIndex, BlockIndex>> mine;
  for (BlockIndex i = 0; i < 4; ++i)
    for (BlockIndex j = 0; j < 4; ++j)
      if (A.here(i, j))
        mine.emplace_back(i, j);
      else
        refused(blocks({{i, j}}, 4), "belongs to rank");
  refused(blocks({{3, 4}}, 4), "block: (3, 4), expected one of 4x4");
  refused(blocks({{-1, 0}}, 4), "block: (-1, 0), expected one of 4x4");
  Blocks<double> of_others = A.local();
  of_others.row_sizes = std::make_shared<const BlockSizes>(BlockSizes(4, 3));
  refused(of_others, "of another matrix");
  if (!mine.empty()) {
    refused(blocks({mine[0]}, 3), "has 4 values, from number 0 of 3");
    refused(blocks({mine[0], mine[0]}, 8), "expected them row by row, each once");
    Blocks<double> torn = blocks({mine[0]}, 4);
    torn.first.back() = 2;
    refused(torn, "do not belong together");
  }
  EXPECT_EQ(A.trace(), 8);
  A.assign(blocks(mine, 4 * mine.size()));
  EXPECT_EQ(A.norm(Norm::frobenius), 16);
}

TEST(BlockSparse, SaysInWordsWhichBlocksRanksGiveDifferently) {
  const Comm comm = Comm::world();
  const bool other = comm.rank() == comm.size() - 1;
  const BlockSizes sizes(6, 2);
  const BlockDistribution where = BlockDistribution::dealt(6, 6, 2, 2);
  const auto refused = [&](const BlockSizes& rows, const BlockSizes& cols, const BlockDistribution& to,
                           const std::string& part, Symmetry symmetry = Symmetry::general) {
    const std::string all = part + "; expected the same on all ranks (rank " + std::to_string(comm.size() - 1) + ")";
    testing::expect_refused_alike(
        comm, [&] { BlockSparse<double>(comm, rows, cols, to, symmetry); }, all);
  };
  BlockDistribution to = where;
  BlockSizes longer = sizes;
  if (other) to.row_major = false, longer[4] = 3;
  refused(sizes, sizes, to, "where: ranks numbered along columns here, ranks numbered along rows on rank 0");
  refused(longer, sizes, where, "rows: block 4 has size 3 here, size 2 on rank 0");
  refused(sizes, longer, where, "cols: block 4 has size 3 here, size 2 on rank 0");
  to = other ? BlockDistribution::dealt(6, 6, 1, 4) : where;
  refused(sizes, sizes, to, "where: a grid of 1x4 ranks here, a grid of 2x2 ranks on rank 0");
  to = where;
  const BlockIndex row = to.row[2], col = to.col[5];
  if (other) to.col[5] = 1 - col;
  refused(sizes, sizes, to,
          fmt::format("where: block column 5 on column {} of the grid here, on column {} of the grid "
                      "on rank 0",
                      1 - col, col));
  if (other) to.row[2] = 1 - row;
  refused(sizes, sizes, to,
          fmt::format("where: block row 2 on row {} of the grid here, on row {} of the grid on rank 0", 1 - row, row));
  refused(sizes, sizes, where, "symmetry: symmetric here, general on rank 0",
          other ? Symmetry::symmetric : Symmetry::general);
  const auto of_another_type = [&] {
    if (other)
      BlockSparse<float>(comm, sizes, sizes, where);
    else
      BlockSparse<double>(comm, sizes, sizes, where);
  };
  testing::expect_refused_alike(comm, of_another_type, "elements: float32 here, float64 on rank 0");
  if (other) longer.pop_back(), to.row.pop_back();
  refused(longer, sizes, to, "rows: 5 blocks here, 6 blocks on rank 0");
}

// Each rank means a matrix, but not the same.
TEST(BlockSparse, RefusesOtherMatricesOnOtherRanks) {
  const Comm comm = Comm::world();
  if (comm.size() == 1) return;
  const BlockSizes sizes{2, 3, 2}, others{3, 2, 2};
  const BlockDistribution dealt = BlockDistribution::dealt(3, 3, comm.size());
  BlockDistribution elsewhere = dealt;
  for (auto* along : {&elsewhere.row, &elsewhere.col}) std::rotate(along->begin(), along->begin() + 1, along->end());
  BlockSparse<double> usual(comm, sizes, sizes, dealt);
  const auto refused = [&](auto f, const char* part) { testing::expect_refused_alike(comm, f, part); };
  for (BlockSparse<double> other :
       {BlockSparse<double>(comm, sizes, sizes, elsewhere), BlockSparse<double>(comm, others, others, dealt),
        BlockSparse<double>(comm, sizes, sizes, dealt, Symmetry::symmetric)}) {
    BlockSparse<double> C = usual;
    BlockSparse<double>& mine = comm.rank() == 0 ? usual : other;
    refused([&] { mine.trace(); }, "expected the same on all ranks");
    refused([&] { mine.norm(Norm::frobenius); }, "expected the same on all ranks");
    refused([&] { mine.gershgorin(); }, "expected the same on all ranks");
    refused([&] { mine.to_dense(); }, "expected the same on all ranks");
    refused([&] { mine.stored_as(Symmetry::general); }, "expected the same on all ranks");
    refused([&] { mine.add_to_diagonal(1); }, "expected the same on all ranks");
    refused([&] { mine.dot(usual); }, "the same");
    refused([&] { C.add(1, mine); }, "the same");
    refused([&] { multiply(Op::none, Op::none, 1.0, mine, usual, 0.0, C); }, "the same");
    refused([&] { multiply(Op::none, Op::none, 1.0, usual, mine, 0.0, C); }, "the same");
  }
}

TEST(BlockSparse, DividesElementByElement) {
  const Comm comm = Comm::world();
  BlockSparse<double> A(comm, {1}, {2});
  const std::array<double, 2> block{49, 0};
  if (A.here(0, 0)) A.put(0, 0, block.data());
  A.scale(49), A.divide(49);
  BlockSparse<double> B = A;
  B.divide(1e-310);
  if (!A.here(0, 0)) return;
  EXPECT_EQ(A.find(0, 0).data[0], 49);
  EXPECT_EQ(B.find(0, 0).data[1], 0);
}

TEST(BlockSparse, RefusesWhatRanksGiveDifferently) {
  const Comm comm = Comm::world();
  const BlockSizes sizes(6, 2);
  BlockSparse<double> A(comm, sizes, sizes);
  A.add_to_diagonal(1);
  const BlockSparse<double> B = A;
  const bool first = comm.rank() == 0;
  const auto refused = [&](auto f, const char* part) { testing::expect_refused_alike(comm, f, part); };
  refused([&] { A.add(first ? 1 : 2, B); }, "factor: 2 here, 1 on rank 0");
  refused([&] { A.add_to_diagonal(first ? 1 : 2); }, "shift: 2 here, 1 on rank 0");
  refused([&] { A.norm(first ? Norm::max : Norm::gershgorin); }, "norm");
  const auto dense = A.to_dense();
  const auto of_dense = [&](double eps) {
    return [&, eps] { BlockSparse<double>::from_dense(comm, dense, sizes, sizes, A.where(), eps); };
  };
  refused(of_dense(first ? 1e9 : 0), "eps: 0 here, 1000000000 on rank 0");
  refused(of_dense(first ? std::numeric_limits<double>::quiet_NaN() : 0), "eps: nan, expected 0 or more");
  refused(of_dense(-1), "eps: -1, expected 0 or more");
  refused([&] { A.filter(std::numeric_limits<double>::quiet_NaN()); }, "eps: nan, expected 0 or more");
  refused([&] { A.filter(-1); }, "eps: -1, expected 0 or more");
  const BlockSparse<double> alone(Comm::self(), sizes, sizes);
  refused([&] { A.dot(alone); }, "other: on other ranks than the matrix");
  refused([&] { A.add(1, alone); }, "other: on other ranks than the matrix");
  const testing::Reversed reversed;
  const BlockSparse<double> turned(Comm(reversed.raw), sizes, sizes);
  refused([&] { A.add(1, turned); }, "in another order");
  const testing::Another another;
  A.add(1, BlockSparse<double>(Comm(another.raw), sizes, sizes));
  EXPECT_EQ(A.trace(), 12);
}

}  // namespace
}  // namespace cairn
