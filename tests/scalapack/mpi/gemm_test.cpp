// p?gemm of the drop-in against ScaLAPACK's own, on the same data.
#include <dlfcn.h>

#include <type_traits>

#include "how_much.hpp"
#include "random_product.hpp"

namespace cairn::testing {
namespace {

template <class T>
class GemmAgainstScalapack : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(GemmAgainstScalapack, Types, );

// All types take the same ways through the drop-in.
template <class T>
int random_grids() {
  return std::is_same_v<T, double> || everything() ? 12 : 5;
}

TYPED_TEST(GemmAgainstScalapack, AgreesOnRandomCalls) {
  Dice dice(seed());
  for (int grids = 0; grids < random_grids<TypeParam>(); ++grids) {
    const auto grid = random_grid(dice);
    for (int calls = 0; calls < 8; ++calls) {
      const auto p = random_product<TypeParam>(dice, *grid);
      if (grid->inside()) expect_same(p);
    }
  }
}

TYPED_TEST(GemmAgainstScalapack, AgreesOnRandomCallsOfMatricesDealtOutAlike) {
  Dice dice(seed());
  for (int grids = 0; grids < random_grids<TypeParam>(); ++grids) {
    const auto grid = random_grid(dice);
    for (int calls = 0; calls < 6; ++calls) {
      const auto p = random_aligned_product<TypeParam>(dice, *grid);
      if (grid->inside()) expect_same(p);
    }
  }
}

// Matrices with square blocks, dealt out from (0, 0).
template <class T>
Product<T> plain(const Grid& grid, int m, int n, int k, std::array<int, 3> blocks) {
  Product<T> p;
  p.m = m, p.n = n, p.k = k, p.beta = T(-0.5);
  for (std::size_t x = 0; x < 3; ++x) {
    const Window w = p.window(x);
    p.matrices.emplace_back(grid, 1, Axis{std::max(1, w.rows), 0, blocks[x], 0},
                            Axis{std::max(1, w.cols), 0, blocks[x], 0}, 0);
  }
  return p;
}

TYPED_TEST(GemmAgainstScalapack, AgreesOnLargeAndOddCalls) {
  for (auto [order, rows, cols] : {std::tuple('R', 2, 2), std::tuple('C', 3, 2), std::tuple('R', 1, 5)}) {
    const Grid grid(order, rows, cols);
    if (!grid.inside()) continue;
    expect_same(plain<TypeParam>(grid, 300, 301, 299, {32, 64, 50}));
    expect_same(plain<TypeParam>(grid, 1, 1, 701, {64, 64, 64}));
    expect_same(plain<TypeParam>(grid, 701, 2, 1, {64, 32, 7}));
    expect_same(plain<TypeParam>(grid, 3, 613, 2, {1, 1, 1}));
  }
}

TEST(GemmAgainstScalapack, AgreesOnMatricesTooLargeForPblasTesters) {
  const Grid grid('R', 2, 3);
  if (grid.inside()) {
    expect_same(plain<double>(grid, 700, 700, 700, {64, 64, 64}));
    expect_same(plain<std::complex<double>>(grid, 401, 500, 450, {33, 64, 31}));
  }
}

// A and B are the same matrix: whole, transposed, and windows that overlap.
TYPED_TEST(GemmAgainstScalapack, AgreesWhereAAndBAreTheSameMatrix) {
  const Grid grid('R', 2, 2);
  if (!grid.inside()) return;
  for (auto [ta, tb] : {std::pair('N', 'N'), std::pair('N', 'T'), std::pair('C', 'N'), std::pair('T', 'T')})
    for (int shift : {0, 5, 20}) {
      Product<TypeParam> p;
      p.trans = {ta, tb}, p.m = p.n = p.k = 40, p.what = {0, 0, 1}, p.i = {0, shift, 0}, p.j = {shift, 0, 0};
      p.matrices.emplace_back(grid, 1, Axis{60, 0, 8, 1}, Axis{60, 0, 8, 0}, 2);
      p.matrices.emplace_back(grid, 2, Axis{40, 3, 7, 0}, Axis{40, 5, 6, 1}, 0);
      expect_same(p);
    }
}

// The update of a blocked factorisation: all three are windows of one array, C apart from A and B.
TYPED_TEST(GemmAgainstScalapack, AgreesWhereAllAreWindowsOfOneMatrix) {
  const Grid grid('C', 3, 2);
  if (!grid.inside()) return;
  for (int done : {8, 16, 19}) {
    Product<TypeParam> p;
    p.alpha = -1, p.beta = 1, p.what = {0, 0, 0};
    p.m = p.n = 90 - done, p.k = std::min(done, 8);
    p.i = {done, done - p.k, done}, p.j = {done - p.k, done, done};
    p.matrices.emplace_back(grid, 1, Axis{90, 0, 8, 0}, Axis{90, 0, 8, 0}, 3);
    expect_same(p);
  }
}

// What IEEE arithmetic makes of a NaN in A must be there: a row of C, in the same places as with ScaLAPACK.
TYPED_TEST(GemmAgainstScalapack, PassesNansOnAsScalapackDoes) {
  const Grid grid('R', 2, 2);
  if (!grid.inside()) return;
  auto p = plain<TypeParam>(grid, 33, 20, 17, {4, 5, 6});
  auto data = filled(p);
  p.matrix(0).for_each([&](std::size_t at, int i, int j) {
    if (i == 9 && j == 4) data[0][at] = std::numeric_limits<RealOf<TypeParam>>::quiet_NaN();
  });
  auto ours = data;
  call(Routines<TypeParam>::gemm, p, ours);
  p.matrix(2).for_each([&](std::size_t at, int i, int) {
    if (i >= 0) {
      EXPECT_EQ(ours[2][at] != ours[2][at], i == 9);
    }
  });
  expect_same(p, data);
}

// A call is prepared for once; what it is given anew every time must not stay as it was the first time.
TYPED_TEST(GemmAgainstScalapack, AgreesWhenTheSameCallComesAgain) {
  const Grid grid('R', 2, 3);
  if (!grid.inside()) return;
  for (int gap : {0, 7, 1})
    for (TypeParam beta : {TypeParam(0), TypeParam(2), TypeParam(1)})
      for (TypeParam alpha : {TypeParam(1), TypeParam(0), TypeParam(-3)}) {
        Product<TypeParam> p;
        p.m = 37, p.n = 41, p.k = 29, p.alpha = alpha, p.beta = beta, p.trans[1] = 'T';
        p.matrices.emplace_back(grid, 1, Axis{37, 0, 5, 0}, Axis{29, 0, 4, 0}, gap);
        p.matrices.emplace_back(grid, 1, Axis{41, 0, 5, 1}, Axis{29, 0, 3, 2}, 2 * gap);
        p.matrices.emplace_back(grid, 1, Axis{37, 0, 6, 0}, Axis{41, 0, 7, 0}, 3 * gap);
        expect_same(p);
      }
}

TYPED_TEST(GemmAgainstScalapack, EverySpellingOfTheNameIsTheDropIns) {
  const Grid grid('R', 2, 2);
  const std::string lower = std::string("p") + Routines<TypeParam>::letter + "gemm";
  std::string upper = lower;
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  for (const std::string& name : {lower + "_", lower, upper, upper + "_", "cairn_" + lower, "cairn_" + lower + "_"}) {
    void* const symbol = dlsym(RTLD_DEFAULT, name.c_str());
    ASSERT_NE(symbol, nullptr) << name;
    Dl_info where;
    ASSERT_NE(dladdr(symbol, &where), 0);
    EXPECT_NE(std::string(where.dli_fname).find("libcairn_scalapack"), std::string::npos) << name;
    const auto p = plain<TypeParam>(grid, 13, 14, 15, {4, 4, 4});
    if (grid.inside()) expect_same(p, filled(p), reinterpret_cast<Gemm*>(reinterpret_cast<std::uintptr_t>(symbol)));
  }
}

// Of all the tests before, on the ranks together.
TEST(GemmAgainstScalapack, SomeCallsWereHandedBackWhereSomeShouldBe) {
  int count = cairn_handed_back();
  const Grid all('R', 1, world_ranks());
  Cigsum2d(all.context(), "All", " ", 1, 1, &count, 1, -1, 0);
  EXPECT_EQ(count > 0, expected_to_be_handed_back() != "none") << count;
}

}  // namespace
}  // namespace cairn::testing
