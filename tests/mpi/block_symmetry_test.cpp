// Block-sparse matrices that store half of their blocks, against the same with all blocks.
#include <gtest/gtest.h>

#include <limits>

#include "cairn/block_sparse.hpp"
#include "cairn/csr.hpp"
#include "distributed.hpp"
#include "symmetric_blocks.hpp"

namespace cairn {
namespace {

using testing::equal;
using testing::stored;
using testing::upper;
using testing::Whole;
using enum Symmetry;
using Z = std::complex<double>;

constexpr Symmetry halves[] = {symmetric, antisymmetric, hermitian};
constexpr Int order = 14;

template <class T>
Whole<T> some(Symmetry symmetry, std::uint64_t seed) {
  return testing::some_symmetric_blocks<T>(symmetry, testing::some_sizes(order, 7), 25, seed);
}
BlockDistribution dealt(const Comm& comm) { return BlockDistribution::dealt(order, order, comm.size()); }
/// One whose grid is flat, so that no block lies where its mirror image would.
BlockDistribution flat(const Comm& comm) { return BlockDistribution::dealt(order, order, comm.size(), 1); }

template <class T>
class BlockSymmetryOfType : public ::testing::Test {};
using AllTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(BlockSymmetryOfType, AllTypes);

TYPED_TEST(BlockSymmetryOfType, StandsForTheWholeMatrix) {
  using T = TypeParam;
  testing::in_groups([](const Comm& comm) {
    for (Symmetry symmetry : halves) {
      const Whole<T> x = some<T>(symmetry, 1);
      const BlockSparse<T> A = testing::distributed(comm, x, dealt(comm), symmetry),
                           all = testing::distributed(comm, x, dealt(comm));
      EXPECT_EQ(A.symmetry(), symmetry == hermitian && std::is_floating_point_v<T> ? symmetric : symmetry);
      EXPECT_TRUE(equal(A, upper(x)));
      EXPECT_TRUE(equal(A.expanded(), x));
      EXPECT_EQ(A.expanded().symmetry(), general);
      EXPECT_TRUE(equal(all.stored_as(symmetry), upper(x)));
      EXPECT_EQ(A.blocks(), static_cast<Int>(upper(x).blocks.size()));
      EXPECT_LT(A.words(), all.words());
      EXPECT_EQ(A.occupancy(), all.occupancy());
      EXPECT_EQ(A.trace(), all.trace());
      for (Norm which : {Norm::frobenius, Norm::max}) EXPECT_EQ(A.norm(which), all.norm(which));
      const double eps = 100 * static_cast<double>(std::numeric_limits<decltype(std::abs(T()))>::epsilon());
      const double most = all.norm(Norm::gershgorin);
      EXPECT_NEAR(A.norm(Norm::gershgorin), most, eps * most);
      for (int end : {0, 1}) EXPECT_NEAR(A.gershgorin().at(end), all.gershgorin().at(end), eps * most);
      for (Op op : {Op::transpose, Op::adjoint})
        EXPECT_TRUE(equal(A.transposed(op), upper(testing::transposed(x, op))));
      EXPECT_TRUE(equal(A.redistributed(flat(comm)), upper(x)));
      EXPECT_TRUE(equal(A.redistributed(flat(comm)).expanded(), x));
      EXPECT_TRUE(equal(A.cropped({2, 9}, {2, 9}).expanded(), testing::cropped(x, {2, 9}, {2, 9})));
      const DistMatrix<T> dense = A.to_dense();
      EXPECT_TRUE(
          equal(BlockSparse<T>::from_dense(comm, dense, x.rows, x.cols, flat(comm)).stored_as(symmetry), upper(x)));
      const Range rows{comm.rank() == 0 ? 0 : A.m(), A.m()};
      const CsrRows<T> half = to_csr(A, rows), full = to_csr(all, rows);
      EXPECT_EQ(half.cols, full.cols);
      EXPECT_EQ(half.values, full.values);
    }
  });
}

TEST(BlockSymmetry, SumsAreThoseOfTheWholeMatrices) {
  testing::in_groups([](const Comm& comm) {
    for (Symmetry one : {general, symmetric, antisymmetric, hermitian})
      for (Symmetry other : {general, symmetric, antisymmetric, hermitian}) {
        const Whole<Z> x = some<Z>(one, 2), y = some<Z>(other, 3);
        BlockSparse<Z> A = testing::distributed(comm, x, dealt(comm), one);
        const BlockSparse<Z> B = testing::distributed(comm, y, flat(comm), other);
        BlockSparse<Z> sum = testing::distributed(comm, x, dealt(comm));
        const BlockSparse<Z> whole = testing::distributed(comm, y, dealt(comm));
        EXPECT_EQ(A.dot(B), sum.dot(whole)) << name_of(one) << " " << name_of(other);
        sum.add(Z(3), whole);
        if (one == general || one == other) {
          A.add(Z(3), B);
          const BlockSparse<Z> found = A.expanded();
          found.for_each([&](BlockIndex i, BlockIndex j, MatrixView<const Z> block) {
            const MatrixView<const Z> there = std::as_const(sum).find(i, j);
            ASSERT_TRUE(there.data);
            EXPECT_TRUE(std::equal(block.data, block.data + block.rows * block.cols, there.data));
          });
          EXPECT_EQ(found.blocks(), sum.blocks());
        } else {
          testing::expect_refused_alike(
              comm, [&] { A.add(Z(3), B); }, "expected one stored as");
          EXPECT_TRUE(equal(A, upper(x)));
        }
      }
    BlockSparse<Z> A = testing::distributed(comm, some<Z>(hermitian, 4), dealt(comm), hermitian), before = A;
    A.add_to_diagonal(Z(5)), A.scale(Z(2));
    before = before.expanded();
    before.add_to_diagonal(Z(5)), before.scale(Z(2));
    A = A.expanded();
    A.add(Z(-1), before);
    EXPECT_EQ(A.norm(Norm::max), 0);
  });
}

TEST(BlockSymmetry, MixedKindsAreConvertedWhereTheyHaveTheOtherSymmetry) {
  testing::in_groups([](const Comm& comm) {
    Whole<Z> x = some<Z>(symmetric, 5);
    for (auto& [place, block] : x.blocks)
      for (Z& v : block) v = v.real();  // symmetric and Hermitian
    const BlockSparse<Z> A = testing::distributed(comm, x, dealt(comm), symmetric);
    EXPECT_EQ(A.stored_as(hermitian).symmetry(), hermitian);
    EXPECT_TRUE(equal(A.stored_as(hermitian), upper(x)));
    testing::expect_refused_alike(
        comm, [&] { A.stored_as(antisymmetric, "A"); }, "A: it is not antisymmetric, ‖A + Aᵀ‖/‖A‖ is 2");
    testing::expect_refused_alike(
        comm, [&] { testing::distributed(comm, some<Z>(general, 6), dealt(comm)).stored_as(hermitian, "B"); },
        "B: it is not Hermitian, ‖B - Bᴴ‖/‖B‖ is");
  });
}

// What a user computes is symmetric up to rounding errors.
TEST(BlockSymmetry, BlocksOnTheDiagonalAreMadeExact) {
  const Comm comm = Comm::world();
  BlockSparse<Z> A(comm, {2}, {2}, hermitian);
  if (A.here(0, 0)) {
    const Z block[] = {Z(1, 1e-12), Z(2, 3), Z(2, -3 + 1e-12), 4};
    A.put(0, 0, block), A.add(0, 0, block);
    const MatrixView<Z> x = A.find(0, 0);
    EXPECT_EQ(x(0, 0), Z(2));
    EXPECT_EQ(x(0, 1), std::conj(x(1, 0)));
    EXPECT_NEAR(x(1, 0).imag(), 6, 1e-11);
  }
  BlockSparse<double> B(comm, {2}, {2}, antisymmetric);
  if (B.here(0, 0)) {
    const double block[] = {1e-14, 3, -3, 0};
    B.put(0, 0, block);
    EXPECT_EQ(B.find(0, 0)(0, 0), 0);
  }
}

// Norms of such matrices are NaN or infinite, or vanish.
TEST(BlockSymmetry, IsFoundInNumbersWithoutANorm) {
  const Comm comm = Comm::world();
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto with = [&](double above, double below) {
    Whole<double> x{{1, 1, 1}, {1, 1, 1}, {}};
    for (BlockIndex i : {0, 1, 2}) x.at(i, i) = {std::isfinite(above) ? above : 1};
    x.at(0, 1) = {above};
    if (below != 0) x.at(1, 0) = {below};
    return testing::distributed(comm, x, BlockDistribution::dealt(3, 3, comm.size()));
  };
  for (const auto& [above, below] : std::vector<std::pair<double, double>>{
           {nan, 2}, {2, nan}, {nan, 0}, {inf, 5}, {inf, -inf}, {1e200, 0}, {1e155, -1e155}, {1e-200, 0}, {2, 5}}) {
    testing::expect_refused_alike(
        comm, [&] { with(above, below).stored_as(symmetric); }, "matrix: it is not symmetric");
    BlockSparse<double> D(comm, {2}, {2}, symmetric);
    const double block[] = {above, above, below, above};
    if (D.here(0, 0)) {
      EXPECT_NE(testing::refusal<ArgumentError>([&] { D.put(0, 0, block); }).find("is not symmetric"),
                std::string::npos);
    }
  }
  // What else there is is not small beside infinity.
  Whole<double> x{{1, 1, 1}, {1, 1, 1}, {}};
  x.at(0, 1) = x.at(1, 0) = {inf}, x.at(0, 2) = {2}, x.at(2, 0) = {5};
  testing::expect_refused_alike(
      comm, [&] { testing::distributed(comm, x, BlockDistribution::dealt(3, 3, comm.size())).stored_as(symmetric); },
      "matrix: it is not symmetric");
  for (double same : {nan, inf, 1e200, 1e-200, 1e308}) {
    const BlockSparse<double> S = with(same, same).stored_as(symmetric), all = S.expanded();
    EXPECT_EQ(S.blocks(), 4);
    for (const auto& [i, j] : {std::pair(0, 1), std::pair(1, 0)})
      if (const MatrixView<const double> found = all.find(i, j); found.data) {
        EXPECT_TRUE(*found.data == same || std::isnan(same)) << *found.data;
      }
  }
}

TEST(BlockSymmetry, SaysWhatIsWrongWithBlocks) {
  const Comm comm = Comm::world();
  BlockSparse<Z> A(comm, {2, 3}, {2, 3}, BlockDistribution::dealt(2, 2, 1, 1), hermitian);
  const std::vector<Z> block(9, Z(1, 1));
  const auto said = [&](auto f) { return testing::refusal<ArgumentError>(f); };
  EXPECT_FALSE(A.here(1, 0));
  const std::string other = "block: (1, 0), expected (0, 1), which a matrix that is Hermitian stores instead";
  EXPECT_EQ(said([&] { A.put(1, 0, block.data()); }), other);
  EXPECT_EQ(said([&] { A.find(1, 0); }), other);
  const std::pair<BlockIndex, BlockIndex> below[] = {{1, 0}};
  EXPECT_EQ(said([&] { A.reserve(below); }), other);
  Blocks<Z> blocks = A.local();
  blocks.append(1, 0, 0), blocks.values.resize(6);
  EXPECT_EQ(said([&] { A.assign(blocks); }), other);
  if (A.here(0, 0)) {
    EXPECT_NE(said([&] { A.put(0, 0, block.data()); }).find("block: (0, 0) is not Hermitian"), std::string::npos);
  }
  EXPECT_NE(said([&] { A.scale(Z(0, 1)); }).find("factor: a complex number"), std::string::npos);
  EXPECT_NE(said([&] { A.cropped({0, 1}, {0, 2}); }).find("expected those of the rows"), std::string::npos);
  EXPECT_EQ(A.blocks(), 0);
  const auto refused = [&](auto f, const char* part) { testing::expect_refused_alike(comm, f, part); };
  refused([&] { A.add_to_diagonal(Z(0, 1)); }, "shift: a complex number, expected a real one");
  refused([&] { A.add(Z(0, 1), A); }, "factor: a complex number, expected a real one");
  refused([&] { BlockSparse<double>(comm, {1}, {1}, antisymmetric).add_to_diagonal(1); }, "shift: not zero");
  refused(
      [&] {
        BlockSparse<double>(comm, {1, 2}, {1, 3}, symmetric);
      },
      "cols: 2 blocks, expected the 2 blocks of the");
  if (comm.size() > 1)
    refused([&] { BlockSparse<double>(comm, {1}, {1}, comm.rank() == 0 ? symmetric : general); },
            "expected the same on all ranks");
  refused([&] { BlockSparse<double>(comm, {2}, {1, 1}).stored_as(symmetric, "X"); }, "X: 2x2 in 1x2 blocks");
}

}  // namespace
}  // namespace cairn
