// p?potrf and p?potrs of the drop-in against ScaLAPACK's own: factors, INFO on every rank, what is left alone, and
// codes for bad arguments.
#include "triangles.hpp"

namespace {

struct Complaint {
  std::string routine;
  int place;
  bool operator==(const Complaint&) const = default;
};
std::vector<Complaint> complaints;

}  // namespace

// The program's own comes before ScaLAPACK's, for ScaLAPACK too.
extern "C" void pxerbla_(const int* /*context*/, const char* routine, const int* place, std::size_t length) {
  complaints.push_back({std::string(routine, length), *place});
}

namespace cairn::testing {
namespace {

template <class T>
struct Factorisation {
  char uplo = 'L';
  int n = 0;
  std::vector<Matrix> matrices;  ///< one
  int i = 0, j = 0;              ///< from 0
  int bad = -1;                  ///< index of a pivot that is not positive, or no number
  RealOf<T> pivot = -1;

  Window window() const { return {i, j, n, n}; }
  const Matrix& matrix() const { return matrices[0]; }
  std::string text() const {
    std::ostringstream out;
    out << uplo << ' ' << n << " from (" << i + 1 << ',' << j + 1 << "), bad " << bad << ", descriptor";
    for (int entry : matrix().desc) out << ' ' << entry;
    return out.str();
  }
};

// Element (row, col) of a positive definite matrix, from 0; on the diagonal, imaginary parts do not count: every other
// one is no number.
template <class T>
T element(int n, int row, int col) {
  if (row == col) {
    if constexpr (std::is_floating_point_v<T>)
      return T(n + 1);
    else
      return {RealOf<T>(n + 1), row % 2 == 0 ? RealOf<T>(0.5) : std::numeric_limits<RealOf<T>>::quiet_NaN()};
  }
  const T x = value<T>(3, std::max(row, col), std::min(row, col));
  if constexpr (std::is_floating_point_v<T>)
    return x;
  else
    return row > col ? x : std::conj(x);
}

// NaN wherever nothing may be read.
template <class T>
std::vector<T> filled(const Factorisation<T>& p) {
  std::vector<T> data(p.matrix().storage(), nan<T>());
  p.matrix().for_each([&](std::size_t at, int i, int j) {
    const int row = i - p.i, col = j - p.j;
    if (i < 0 || !p.window().has(i, j) || (row != col && !off_diagonal(p.uplo, row, col))) return;
    data[at] = row == col && row == p.bad ? T(p.pivot) : element<T>(p.n, row, col);
  });
  return data;
}

template <class T>
int call(PotrfRoutine* potrf, const Factorisation<T>& p, std::vector<T>& data) {
  const int ia = p.i + 1, ja = p.j + 1;
  int info = -77;
  potrf(&p.uplo, &p.n, data.data(), &ia, &ja, p.matrix().desc.data(), &info);
  return info;
}

// The factor, of the leading minor that has one, and INFO; all else is as it was, but for the triangle's other columns.
template <class T>
void expect_same(const Factorisation<T>& p) {
  const std::vector<T> data = filled(p);
  std::vector<T> ours = data, theirs = data;
  const int expected = call(Triangles<T>::original_potrf(), p, theirs);
  const int before = cairn_handed_back_factorisations();
  const int info = call(Triangles<T>::potrf, p, ours);
  const bool all_are_cairns = expected_to_be_handed_back() == "none";
  if (all_are_cairns) {
    EXPECT_EQ(cairn_handed_back_factorisations(), before) << p.text();
  }
  if (!std::isnan(p.pivot)) {  // ScaLAPACK takes what is no number for positive
    EXPECT_EQ(info, expected) << p.text();
  }
  EXPECT_EQ(info, p.bad + 1) << p.text();
  EXPECT_TRUE(complaints.empty());
  const int good = p.bad >= 0 ? p.bad : p.n;
  const RealOf<T> most = 8 * RealOf<T>(p.n + 4) * std::numeric_limits<RealOf<T>>::epsilon();
  std::size_t wrong = 0;
  std::ostringstream first;
  p.matrix().for_each([&](std::size_t at, int i, int j) {
    const int row = i - p.i, col = j - p.j;
    const bool may_change = p.window().has(i, j) && (row == col || off_diagonal(p.uplo, row, col));
    bool right = may_change || same(ours[at], data[at]);
    if (may_change && std::max(row, col) < good) right = std::abs(ours[at] - theirs[at]) <= most;
    if (!right && ++wrong == 1) first << "(" << i << ", " << j << ") is " << ours[at] << ", not " << theirs[at];
  });
  EXPECT_EQ(wrong, 0u) << p.text() << "\n  " << first.str();
}

template <class T>
Factorisation<T> random_factorisation(Dice& dice, const Grid& grid) {
  Factorisation<T> p;
  p.uplo = dice.one_of({'L', 'U', 'l', 'u'}), p.n = random_size(dice);
  const int block = dice.one_of({2, 3, 5, 8, 16, 32, 1000, p.n < 20 ? 1 : 7});
  p.i = block * dice.between(0, 3), p.j = block * dice.between(0, 3);
  const auto axis = [&](int from, int ranks) {
    const int size = std::max(1, from + p.n + dice.one_of({0, 0, 7}));
    return Axis{size, block, block, dice.between(0, ranks - 1)};
  };
  p.matrices.emplace_back(grid, 1, axis(p.i, grid.rows()), axis(p.j, grid.cols()), dice.one_of({0, 0, 1, 9}));
  return p;
}

template <class T>
class PotrfAgainstScalapack : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(PotrfAgainstScalapack, Types, );

TYPED_TEST(PotrfAgainstScalapack, AgreesOnRandomCalls) {
  Dice dice(seed() + 60);
  for (int grids = 0; grids < 12; ++grids) {
    const auto grid = random_grid(dice);
    for (int calls = 0; calls < 5; ++calls) {
      const auto p = random_factorisation<TypeParam>(dice, *grid);
      if (grid->inside()) expect_same(p);
    }
  }
}

TYPED_TEST(PotrfAgainstScalapack, SaysOnEveryRankWhichMinorIsNotPositive) {
  Dice dice(seed() + 70);
  for (int grids = 0; grids < 6; ++grids) {
    const auto grid = random_grid(dice);
    for (int calls = 0; calls < 6; ++calls) {
      auto p = random_factorisation<TypeParam>(dice, *grid);
      if (p.n == 0) continue;
      p.bad = dice.one_of({0, p.n - 1, p.n / 2, dice.between(0, p.n - 1)});
      if (dice.maybe(40)) p.pivot = std::numeric_limits<RealOf<TypeParam>>::quiet_NaN();
      if (grid->inside()) expect_same(p);
    }
  }
}

TEST(Potrf, AgreesOnALargeMatrix) {
  const Grid grid('C', 2, 3);
  for (char uplo : {'L', 'U'}) {
    Factorisation<double> p;
    p.uplo = uplo, p.n = 577, p.i = 32, p.j = 64;
    p.matrices.emplace_back(grid, 1, Axis{609, 32, 32, 1}, Axis{700, 32, 32, 2}, 1);
    expect_same(p);
  }
}

// Handed back until a plan pays.
void expect_cairns_at_last(const Factorisation<double>& p) {
  const std::vector<double> data = filled(p);
  const int before = cairn_handed_back_factorisations();
  constexpr int most = 40;
  int calls = 0;
  do {
    std::vector<double> L = data;
    EXPECT_EQ(call(pdpotrf_, p, L), p.bad + 1);
  } while (++calls < most && cairn_handed_back_factorisations() - before == calls);
  EXPECT_GT(calls, 1) << "the first call does not pay a plan";
  EXPECT_LT(calls, most) << "Cairn has not factorised";
  const int handed_back = cairn_handed_back_factorisations();
  expect_same(p);
  EXPECT_EQ(cairn_handed_back_factorisations(), handed_back);
}

// Where Cairn factorises what is worth it.
TEST(PotrfOfSomeSizes, IsCairnsOnceAPlanPays) {
  const Grid grid('R', 2, 3);
  if (expected_to_be_handed_back() != "some") return;
  Factorisation<double> p;
  p.n = 1200;
  p.matrices.emplace_back(grid, 1, Axis{1200, 100, 100, 0}, Axis{1200, 100, 100, 2}, 0);
  expect_cairns_at_last(p);
}

// In tiny blocks, or in one or two, the matrix is brought to the layout of another algorithm, and back.
TEST(PotrfOfSomeSizes, IsCairnsElsewhereWhereBlocksAreTinyOrHuge) {
  const Grid grid('C', 2, 3);
  if (expected_to_be_handed_back() != "some") return;
  struct Case {
    int block;
    char uplo;
    int bad;
  };
  for (const auto& [block, uplo, bad] : {Case{4, 'L', -1}, {5, 'U', 250}, {320, 'U', -1}, {640, 'L', 0}}) {
    Factorisation<double> p;
    p.uplo = uplo, p.n = 640, p.i = block, p.j = 2 * block, p.bad = bad;
    p.matrices.emplace_back(grid, 1, Axis{p.i + p.n + 3, block, block, 1}, Axis{p.j + p.n, block, block, 2}, 5);
    expect_cairns_at_last(p);
  }
}

struct Verdict {
  int info;
  std::vector<Complaint> said;
  bool operator==(const Verdict&) const = default;
};

template <class T>
Verdict verdict(PotrfRoutine* potrf, const Factorisation<T>& p) {
  std::vector<T> data(1 << 12, T(1));
  const int info = call(potrf, p, data);
  return {info, std::exchange(complaints, {})};
}

template <class T>
Factorisation<T> good(const Grid& grid) {
  Factorisation<T> p;
  p.n = 10, p.i = 3, p.j = 6;
  p.matrices.emplace_back(grid, 1, Axis{14, 3, 3, 0}, Axis{17, 3, 3, 1}, 1);
  return p;
}

TYPED_TEST(PotrfAgainstScalapack, EveryBadArgumentGivesItsCode) {
  const Grid grid('R', 2, 3);
  const auto right = good<TypeParam>(grid);
  int refused = 0;
  const auto with = [&](auto change) {
    auto p = right;
    change(p);
    const Verdict expected = verdict(Triangles<TypeParam>::original_potrf(), p);
    const int objecting = ranks_where(grid, expected.info < 0);
    if (expected.info >= 0 && objecting == 0) return;  // nothing is wrong
    EXPECT_EQ(objecting, 6) << p.text();
    const Verdict found = verdict(Triangles<TypeParam>::potrf, p);
    EXPECT_EQ(found.info, expected.info) << p.text();
    EXPECT_EQ(found, expected) << p.text();
    ++refused;
  };
  for (char letter : {'X', ' ', '\0', 'N'}) with([&](auto& p) { p.uplo = letter; });
  for (int x : {-1000, -1, 2, 5, 100}) {
    with([&](auto& p) { p.n = x; });
    with([&](auto& p) { p.i = x; });
    with([&](auto& p) { p.j = x; });
    for (std::size_t entry : {0, 4, 5, 6, 7})
      if (x != 2 || entry > 5) with([&](auto& p) { p.matrices[0].desc[entry] = x; });
  }
  EXPECT_GT(refused, 20);
  const auto code = [&](auto change) {
    auto p = right;
    change(p);
    return verdict(Triangles<TypeParam>::potrf, p).info;
  };
  EXPECT_EQ(code([](auto& p) { p.uplo = 'X'; }), -1);
  EXPECT_EQ(code([](auto& p) { p.n = -1; }), -2);
  EXPECT_EQ(code([](auto& p) { p.n = 13; }), -2);
  EXPECT_EQ(code([](auto& p) { p.i = 2; }), -4);
  EXPECT_EQ(code([](auto& p) { p.j = 4; }), -5);
  EXPECT_EQ(code([](auto& p) { p.matrices[0].desc[0] = 2; }), -601);
  EXPECT_EQ(code([](auto& p) { p.matrices[0].desc[5] = 6; }), -606);
  EXPECT_EQ(code([](auto& p) { p.matrices[0].desc[8] = 1; }), -609);
}

TEST(Potrf, WhatDiffersBetweenRanksIsSaidOnAll) {
  const Grid grid('R', 2, 3);
  auto p = good<double>(grid);
  if (grid.row() == 1 && grid.col() == 1) p.n = 9;
  const Verdict expected = verdict(Triangles<double>::original_potrf(), p);
  EXPECT_EQ(expected.info, -2);
  EXPECT_EQ(verdict(pdpotrf_, p), expected);
}

// A leading dimension is wrong where it is: ScaLAPACK tells all.
TEST(Potrf, WhatIsWrongOnOneRankIsSaidOnAll) {
  const Grid grid('R', 2, 3);
  auto p = good<double>(grid);
  if (grid.row() == 0 && grid.col() == 2) p.matrices[0].desc[8] = 1;
  const Verdict expected = verdict(Triangles<double>::original_potrf(), p);
  EXPECT_EQ(verdict(pdpotrf_, p).info, expected.info);
  EXPECT_EQ(expected.info, -609);
}

TEST(Potrf, AContextThatIsDeadIsRefused) {
  const Grid grid('R', 2, 3);
  auto p = good<double>(grid);
  p.matrices[0].desc[1] = -1;
  EXPECT_EQ(verdict(pdpotrf_, p).info, -602);
}

template <class T>
int solve(PotrsRoutine* potrs, const Factorisation<T>& p, const std::vector<T>& factor, int others, int ib, int jb,
          const std::vector<int>& desc_b, std::vector<T>& B) {
  const int ia = p.i + 1, ja = p.j + 1, from = ib + 1, at = jb + 1;
  int info = -77;
  potrs(&p.uplo, &p.n, &others, factor.data(), &ia, &ja, p.matrix().desc.data(), B.data(), &from, &at, desc_b.data(),
        &info);
  return info;
}

// The solution is known; B's columns may be in blocks of any size.
TYPED_TEST(PotrfAgainstScalapack, SolvesWithItsFactor) {
  using T = TypeParam;
  Dice dice(seed() + 80);
  for (int grids = 0; grids < 6; ++grids) {
    const auto grid = random_grid(dice);
    for (int calls = 0; calls < 3; ++calls) {
      auto p = random_factorisation<T>(dice, *grid);
      const int others = dice.between(1, 40), jb = dice.between(0, 9), block = p.matrix().down.block;
      const Matrix b(*grid, 1, Axis{p.i + std::max(1, p.n), block, block, p.matrix().down.source},
                     Axis{jb + others, 0, dice.one_of({1, 4, block}), dice.between(0, grid->cols() - 1)}, 1);
      if (!grid->inside() || p.n == 0) continue;
      const auto solution = [](int i, int j) { return value<T>(5, i, j); };
      std::vector<T> A = filled(p), B(b.storage(), nan<T>());
      const Window window{p.i, jb, p.n, others};
      b.for_each([&](std::size_t at, int i, int j) {
        if (i < 0 || !window.has(i, j)) return;
        B[at] = 0;
        for (int k = 0; k < p.n; ++k) {
          const T x = element<T>(p.n, i - p.i, k);
          B[at] += (k == i - p.i ? T(std::real(x)) : x) * solution(k, j);
        }
      });
      const std::vector<T> before = B;
      EXPECT_EQ(call(Triangles<T>::potrf, p, A), 0);
      const int handed_back = cairn_handed_back_solves();
      EXPECT_EQ(solve(Triangles<T>::potrs, p, A, others, p.i, jb, b.desc, B), 0);
      if (expected_to_be_handed_back() == "none") {
        EXPECT_EQ(cairn_handed_back_solves(), handed_back);
      }
      const RealOf<T> most = 32 * RealOf<T>(p.n + 4) * std::numeric_limits<RealOf<T>>::epsilon();
      std::size_t wrong = 0;
      b.for_each([&](std::size_t at, int i, int j) {
        wrong +=
            i >= 0 && window.has(i, j) ? !(std::abs(B[at] - solution(i - p.i, j)) <= most) : !same(B[at], before[at]);
      });
      EXPECT_EQ(wrong, 0u) << p.text();
    }
  }
}

TEST(Potrs, BadArgumentsGiveScalapacksCodes) {
  const Grid grid('R', 2, 3);
  const auto p = good<double>(grid);
  const Matrix b(grid, 1, Axis{14, 3, 3, 0}, Axis{9, 3, 3, 0}, 1);
  const std::vector<double> factor(1 << 12, 1);
  const auto codes = [&](PotrsRoutine* potrs, const Factorisation<double>& q, int ib, std::vector<int> desc_b) {
    std::vector<double> B(1 << 12, 1);
    const int info = solve(potrs, q, factor, 4, ib, 0, desc_b, B);
    complaints.clear();
    return info;
  };
  const auto expect = [&](int code, const Factorisation<double>& q, int ib, const std::vector<int>& desc_b) {
    EXPECT_EQ(codes(Triangles<double>::original_potrs(), q, ib, desc_b), code);
    EXPECT_EQ(codes(pdpotrs_, q, ib, desc_b), code);
  };
  auto wrong = p;
  wrong.i = 2, expect(-5, wrong, 3, b.desc);
  wrong = p, wrong.j = 4, expect(-6, wrong, 3, b.desc);
  wrong = p, wrong.matrices[0].desc[5] = 6, expect(-706, wrong, 3, b.desc);
  auto desc = b.desc;
  desc[4] = 2, expect(-1106, p, 2, desc);  // in the same row of ranks as A
  expect(-9, p, 0, b.desc);
}

}  // namespace
}  // namespace cairn::testing
