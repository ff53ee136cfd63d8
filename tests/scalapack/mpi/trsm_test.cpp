// p?trsm of the drop-in against ScaLAPACK's own: results, what is left alone, and codes for bad arguments.
#include "triangles.hpp"

namespace cairn::testing {
namespace {

/// One call. Matrices may share their storage: what[x] is the matrix that operand x is a window of.
template <class T>
struct Solve {
  char side = 'L', uplo = 'L', trans = 'N', diag = 'N';
  int m = 0, n = 0;
  T alpha = 1;
  std::vector<Matrix> matrices;
  std::array<std::size_t, 2> what{0, 1};
  std::array<int, 2> i{}, j{};  ///< from 0

  bool left() const { return side == 'L' || side == 'l'; }
  bool unit() const { return diag == 'U' || diag == 'u'; }
  int order() const { return left() ? m : n; }
  const Matrix& matrix(std::size_t x) const { return matrices[what[x]]; }
  Window window(std::size_t x) const { return {i[x], j[x], x == 0 ? order() : m, x == 0 ? order() : n}; }
  std::string text() const {
    std::ostringstream out;
    out << side << uplo << trans << diag << ' ' << m << "x" << n << " alpha " << alpha;
    for (std::size_t x = 0; x < 2; ++x) {
      out << "\n  "
          << "AB"[x] << '(' << i[x] + 1 << ',' << j[x] + 1 << ") of matrix " << what[x] << ", descriptor";
      for (int entry : matrix(x).desc) out << ' ' << entry;
    }
    return out.str();
  }
};

template <class T>
void call(TrsmRoutine* trsm, const Solve<T>& p, Storage<T>& data) {
  std::array<int, 4> at{p.i[0] + 1, p.j[0] + 1, p.i[1] + 1, p.j[1] + 1};
  trsm(&p.side, &p.uplo, &p.trans, &p.diag, &p.m, &p.n, &p.alpha, data[p.what[0]].data(), &at[0], &at[1],
       p.matrix(0).desc.data(), data[p.what[1]].data(), &at[2], &at[3], p.matrix(1).desc.data());
}

// NaN wherever nothing may be read. A is well conditioned, so that solutions do not grow.
template <class T>
Storage<T> filled(const Solve<T>& p) {
  Storage<T> data;
  const bool reads = p.alpha != T(0);
  for (std::size_t which = 0; which < p.matrices.size(); ++which) {
    data.emplace_back(p.matrices[which].storage(), nan<T>());
    p.matrices[which].for_each([&](std::size_t at, int i, int j) {
      if (!reads || i < 0) return;
      if (p.what[1] == which && p.window(1).has(i, j)) data[which][at] = value<T>(1, i, j);
      if (p.what[0] != which || !p.window(0).has(i, j)) return;
      const int row = i - p.i[0], col = j - p.j[0];
      if (row == col && !p.unit()) data[which][at] = T(2) + value<T>(0, i, j) / RealOf<T>(2);
      if (off_diagonal(p.uplo, row, col)) data[which][at] = value<T>(0, i, j) / RealOf<T>(std::max(1, p.order()));
    });
  }
  return data;
}

// `handed_back`: calls that must reach ScaLAPACK, unless CAIRN_TEST_HANDED_BACK says that some do.
template <class T>
void expect_same(const Solve<T>& p, int handed_back = 0) {
  const Storage<T> data = filled(p);
  Storage<T> ours = data, theirs = data;
  call(Triangles<T>::original_trsm(), p, theirs);
  const int before = cairn_handed_back_solves();
  call(Triangles<T>::trsm, p, ours);
  if (expected_to_be_handed_back() == "none") {
    EXPECT_EQ(cairn_handed_back_solves() - before, handed_back) << p.text();
  }
  EXPECT_EQ(take_aborts().size(), 0u) << p.text();
  const RealOf<T> most = 8 * RealOf<T>(p.order() + 4) * std::numeric_limits<RealOf<T>>::epsilon() * std::abs(p.alpha);
  std::size_t wrong = 0;
  std::ostringstream first;
  for (std::size_t which = 0; which < p.matrices.size(); ++which)
    p.matrices[which].for_each([&](std::size_t at, int i, int j) {
      const T x = ours[which][at], y = theirs[which][at];
      const bool written = which == p.what[1] && p.window(1).has(i, j);
      if ((written ? !(std::abs(x - y) <= most) : !same(x, data[which][at])) && ++wrong == 1)
        first << "matrix " << which << " (" << i << ", " << j << ") is " << x << ", not " << y;
    });
  EXPECT_EQ(wrong, 0u) << p.text() << "\n  " << first.str();
}

template <class T>
Solve<T> random_letters(Dice& dice) {
  Solve<T> p;
  p.side = dice.one_of({'L', 'R', 'l', 'r'}), p.uplo = dice.one_of({'L', 'U', 'l', 'u'});
  p.trans = dice.one_of({'N', 'N', 'T', 'C', 'n', 't', 'c'}), p.diag = dice.one_of({'N', 'U', 'n', 'u'});
  p.alpha = random_factor<T>(dice);
  p.m = random_size(dice), p.n = random_size(dice);
  return p;
}

// Matrices that have nothing to do with each other. One of whose elements there are copies goes to ScaLAPACK.
template <class T>
Solve<T> random_solve(Dice& dice, const Grid& grid) {
  Solve<T> p = random_letters<T>(dice);
  for (std::size_t x = 0; x < 2; ++x) {
    p.i[x] = dice.maybe(50) ? 0 : dice.between(0, 20), p.j[x] = dice.maybe(50) ? 0 : dice.between(0, 20);
    const Window w = p.window(x);
    p.matrices.emplace_back(grid, dice.between(1, 2),
                            random_axis(dice, std::max(1, w.i + w.rows + dice.one_of({0, 0, 4})), grid.rows()),
                            random_axis(dice, std::max(1, w.j + w.cols), grid.cols()), dice.one_of({0, 0, 1, 9}));
  }
  return p;
}

// As most programs have them: square blocks, from whole blocks on, and A and B often parts of one array.
template <class T>
Solve<T> random_aligned_solve(Dice& dice, const Grid& grid) {
  Solve<T> p = random_letters<T>(dice);
  const int block = dice.one_of({1, 2, 3, 5, 8, 16, 32}), gap = dice.one_of({0, 2});
  const auto blocks = [&](int size) { return (size + block - 1) / block * block; };
  const auto source = [&](int ranks) { return dice.maybe(60) ? 0 : dice.between(0, ranks - 1); };
  const int row = source(grid.rows()), col = source(grid.cols());
  const auto axis = [&](int size, int from) { return Axis{std::max(1, size), block, block, from}; };
  if (dice.maybe(50)) {  // B beyond A, or below it
    p.what = {0, 0};
    p.i[0] = block * dice.between(0, 2), p.j[0] = block * dice.between(0, 2);
    p.i[1] = p.i[0] + (p.left() ? 0 : blocks(p.order())), p.j[1] = p.j[0] + (p.left() ? blocks(p.order()) : 0);
    const int rows = p.i[1] + std::max(p.m, p.order()), cols = p.j[1] + std::max(p.n, p.order());
    p.matrices.emplace_back(grid, 1, axis(rows, row), axis(cols, col), gap);
    return p;
  }
  for (std::size_t x = 0; x < 2; ++x) {
    p.i[x] = block * dice.between(0, 1) * grid.rows(), p.j[x] = block * dice.between(0, 1) * grid.cols();
    const Window w = p.window(x);
    p.matrices.emplace_back(grid, dice.between(1, 2), axis(w.i + w.rows + 1, row), axis(w.j + w.cols, col), gap);
  }
  return p;
}

template <class T>
class TrsmAgainstScalapack : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(TrsmAgainstScalapack, Types, );

template <class T>
bool has_copies(const Solve<T>& p, const Grid& grid) {
  const Matrix& b = p.matrix(1);
  return (b.down.source < 0 && grid.rows() > 1) || (b.across.source < 0 && grid.cols() > 1);
}

TYPED_TEST(TrsmAgainstScalapack, AgreesOnRandomCalls) {
  Dice dice(seed() + 40);
  for (int grids = 0; grids < 10; ++grids) {
    const auto grid = random_grid(dice);
    for (int calls = 0; calls < 4; ++calls) {
      const auto p = random_solve<TypeParam>(dice, *grid);
      const bool nothing = p.m == 0 || p.n == 0 || p.alpha == TypeParam(0);
      if (grid->inside()) expect_same(p, has_copies(p, *grid) && !nothing ? 1 : 0);
    }
  }
}

TYPED_TEST(TrsmAgainstScalapack, AgreesOnCallsAsProgramsMakeThem) {
  Dice dice(seed() + 50);
  for (int grids = 0; grids < 12; ++grids) {
    const auto grid = random_grid(dice);
    for (int calls = 0; calls < 5; ++calls) {
      const auto p = random_aligned_solve<TypeParam>(dice, *grid);
      if (grid->inside()) expect_same(p);
    }
  }
}

TEST(Trsm, EverySideTriangleOpAndDiagonal) {
  const Grid grid('C', 2, 3);
  using T = std::complex<double>;
  for (char side : {'L', 'R'})
    for (char uplo : {'L', 'U'})
      for (char trans : {'N', 'T', 'C'})
        for (char diag : {'N', 'U'}) {
          Solve<T> p;
          p.side = side, p.uplo = uplo, p.trans = trans, p.diag = diag, p.alpha = {0.5, -1}, p.m = 37, p.n = 26;
          const int order = p.order();
          p.matrices.emplace_back(grid, 1, Axis{order + 4, 4, 4, 1}, Axis{order + 8, 4, 4, 2}, 1);
          p.matrices.emplace_back(grid, 2, Axis{41, 4, 4, 1}, Axis{34, 4, 4, 2}, 1);
          p.i = {4, 4}, p.j = {8, 8};
          expect_same(p);
        }
}

// Everything may be NaN: nothing is read, and B is what is left.
TEST(Trsm, AlphaZeroClearsBWithoutReading) {
  const Grid grid('R', 3, 2);
  Solve<double> p;
  p.alpha = 0, p.m = 20, p.n = 11, p.i = {1, 2}, p.j = {0, 3};
  p.matrices.emplace_back(grid, 1, Axis{22, 3, 3, 1}, Axis{21, 3, 3, 0}, 1);
  p.matrices.emplace_back(grid, 2, Axis{22, 2, 5, 1}, Axis{14, 1, 4, 1}, 2);
  Storage<double> data = filled(p);
  call(pdtrsm_, p, data);
  p.matrices[1].for_each([&](std::size_t at, int i, int j) {
    if (p.window(1).has(i, j))
      EXPECT_EQ(data[1][at], 0);
    else
      EXPECT_TRUE(std::isnan(data[1][at]));
  });
}

// Where Cairn solves what is worth it.
TEST(TrsmOfSomeSizes, IsCairnsOnceAPlanPays) {
  if (expected_to_be_handed_back() != "some") return;
  for (char trans : {'N', 'T'}) {
    const Grid grid('R', 1, 2);
    if (!grid.inside()) continue;
    Solve<double> p;
    p.trans = trans, p.m = 600, p.n = 580;
    p.matrices.emplace_back(grid, 1, Axis{600, 60, 60, 0}, Axis{600, 60, 60, 1}, 0);
    p.matrices.emplace_back(grid, 1, Axis{600, 60, 60, 0}, Axis{580, 60, 60, 1}, 0);
    const Storage<double> data = filled(p);
    const int before = cairn_handed_back_solves();
    constexpr int most = 20;
    int calls = 0;
    do {
      Storage<double> X = data;
      call(pdtrsm_, p, X);
    } while (++calls < most && cairn_handed_back_solves() - before == calls);
    EXPECT_GT(calls, 1) << "the first call does not pay a plan";
    EXPECT_LT(calls, most) << "Cairn has not solved";
    const int handed_back = cairn_handed_back_solves();
    expect_same(p);
    EXPECT_EQ(cairn_handed_back_solves(), handed_back);
  }
}

TEST(Trsm, AgreesOnLargeMatrices) {
  const Grid grid('R', 2, 3);
  for (char trans : {'N', 'T'}) {
    Solve<double> p;
    p.trans = trans, p.m = 517, p.n = 389;
    p.matrices.emplace_back(grid, 1, Axis{517, 32, 32, 0}, Axis{517, 32, 32, 0}, 0);
    p.matrices.emplace_back(grid, 1, Axis{517, 32, 32, 0}, Axis{389, 32, 32, 0}, 3);
    expect_same(p);
  }
}

// With M = 0 ScaLAPACK returns after its checks; with alpha = 0 it clears B, of which there is nothing.
template <class T>
std::vector<Abort> verdict(TrsmRoutine* trsm, Solve<T> p) {
  Storage<T> none(2, std::vector<T>(1 << 12));
  p.alpha = 0;
  call(trsm, p, none);
  return take_aborts();
}

TYPED_TEST(TrsmAgainstScalapack, EveryBadArgumentGivesItsCode) {
  const Grid grid('R', 2, 3);
  Solve<TypeParam> good;
  good.m = 9, good.n = 8, good.i = {1, 2}, good.j = {2, 1};
  for (std::size_t x = 0; x < 2; ++x) good.matrices.emplace_back(grid, 2, Axis{14, 3, 2, 0}, Axis{14, 2, 3, 0}, 1);
  int refused = 0;
  const auto with = [&](auto change) {
    Solve<TypeParam> p = good;
    change(p);
    const std::vector<Abort> expected = verdict(Triangles<TypeParam>::original_trsm(), p);
    const int objecting = ranks_where(grid, !expected.empty());
    if (objecting != 0 && objecting != 6) return;  // the drop-in is called where all object or none
    EXPECT_EQ(verdict(Triangles<TypeParam>::trsm, p), expected) << p.text();
    refused += objecting > 0;
  };
  for (char letter : {'X', ' ', '\0', 'H'}) {
    with([&](auto& p) { p.side = letter; });
    with([&](auto& p) { p.uplo = letter; });
    with([&](auto& p) { p.trans = letter; });
    with([&](auto& p) { p.diag = letter; });
    with([&](auto& p) { p.side = p.diag = letter; });
  }
  for (char side : {'L', 'R'}) {
    good.side = side;
    for (int x : {-1000, -1, 0, 1, 5, 100}) {
      with([&](auto& p) { p.m = x; });
      with([&](auto& p) { p.n = x; });
      for (std::size_t which : {0, 1}) {
        with([&](auto& p) { p.i[which] = x; });
        with([&](auto& p) { p.j[which] = x; });
        for (std::size_t entry = 0; entry < 11; ++entry)
          if (x != 0 || entry != 1) with([&](auto& p) { p.matrices[which].desc[entry] = x; });
      }
    }
  }
  EXPECT_GT(refused, 100);
}

TEST(Trsm, CodesAreThoseOfTheContract) {
  const Grid grid('R', 2, 3);
  Solve<double> good;
  good.m = 9, good.n = 8;
  for (std::size_t x = 0; x < 2; ++x) good.matrices.emplace_back(grid, 1, Axis{14, 3, 3, 0}, Axis{14, 3, 3, 0}, 1);
  const auto code = [&](auto change) {
    Solve<double> p = good;
    change(p);
    const auto aborts = verdict(pdtrsm_, p);
    return aborts.size() == 1 && aborts[0].routine == "PDTRSM" ? aborts[0].info : 0;
  };
  EXPECT_EQ(code([](auto& p) { p.side = p.diag = 'X'; }), -1);
  EXPECT_EQ(code([](auto& p) { p.matrices[0].desc[1] = -1; }), -1102);
  EXPECT_EQ(code([](auto& p) { p.matrices[0].desc[4] = 0; }), -1105);
  EXPECT_EQ(code([](auto& p) { p.matrices[1].desc[6] = 7; }), -1509);
  EXPECT_EQ(code([](auto& p) { p.matrices[1].desc[8] = 0; }), -1511);
}

}  // namespace
}  // namespace cairn::testing
