// p?gemr2d of the drop-in against ScaLAPACK's own: between any two grids, bit by bit.
#include "random_product.hpp"

#define CAIRN_DECLARE(fortran, c)                                                                                     \
  extern "C" void fortran(const int*, const int*, const void*, const int*, const int*, const int*, void*, const int*, \
                          const int*, const int*, const int*);                                                        \
  extern "C" void c(int, int, const void*, int, int, const int*, void*, int, int, const int*, int)
CAIRN_DECLARE(pigemr2d_, Cpigemr2d);
CAIRN_DECLARE(psgemr2d_, Cpsgemr2d);
CAIRN_DECLARE(pdgemr2d_, Cpdgemr2d);
CAIRN_DECLARE(pcgemr2d_, Cpcgemr2d);
CAIRN_DECLARE(pzgemr2d_, Cpzgemr2d);
#undef CAIRN_DECLARE

namespace cairn::testing {
namespace {

using Fortran = decltype(pdgemr2d_);
using C = decltype(Cpdgemr2d);  // Fortran's routine calls it, so it alone is surely ScaLAPACK's own

struct Routine {
  std::size_t bytes;  // of an element
  const char* name;
  Fortran* fortran;
  C* c;
};
const Routine routines[] = {{4, "Cpigemr2d", pigemr2d_, Cpigemr2d},
                            {4, "Cpsgemr2d", psgemr2d_, Cpsgemr2d},
                            {8, "Cpdgemr2d", pdgemr2d_, Cpdgemr2d},
                            {8, "Cpcgemr2d", pcgemr2d_, Cpcgemr2d},
                            {16, "Cpzgemr2d", pzgemr2d_, Cpzgemr2d}};

using Bytes = std::vector<unsigned char>;

struct Copy {
  int m = 0, n = 0;
  Matrix a, b;
  std::array<int, 2> i{}, j{};  ///< from 0
  std::string text() const {
    std::ostringstream out;
    out << m << "x" << n << " from (" << i[0] << ", " << j[0] << ") to (" << i[1] << ", " << j[1] << ")";
    for (const Matrix* x : {&a, &b}) {
      out << "\n  descriptor";
      for (int entry : x->desc) out << ' ' << entry;
    }
    return out.str();
  }
};

// Any bits at all: signalling NaN, denormal, negative zero.
Bytes bits(const Matrix& x, std::size_t bytes, unsigned salt) {
  Bytes all(x.storage() * bytes);
  std::mt19937 random(salt + static_cast<unsigned>(world_rank()));
  for (unsigned char& byte : all) byte = static_cast<unsigned char>(random() % 8 == 0 ? 255 : random());
  return all;
}

void expect_same(const Routine& r, const Copy& p, int context, bool from_c) {
  const Bytes A = bits(p.a, r.bytes, 1), before = bits(p.b, r.bytes, 2);
  Bytes source = A, ours = before, theirs = before;
  const int ia = p.i[0] + 1, ja = p.j[0] + 1, ib = p.i[1] + 1, jb = p.j[1] + 1;
  const int *const a = p.a.desc.data(), *const b = p.b.desc.data();
  original<C>(r.name)(p.m, p.n, source.data(), ia, ja, a, theirs.data(), ib, jb, b, context);
  if (from_c)
    r.c(p.m, p.n, source.data(), ia, ja, a, ours.data(), ib, jb, b, context);
  else
    r.fortran(&p.m, &p.n, source.data(), &ia, &ja, a, ours.data(), &ib, &jb, b, &context);
  EXPECT_EQ(source, A) << r.name << ' ' << p.text();
  EXPECT_EQ(ours, theirs) << r.name << ' ' << p.text();
}

// Where a rank is not in the grid the descriptor says -1, and then nonsense.
Matrix random_matrix(Dice& dice, const Grid& grid, int rows, int cols) {
  Axis down = random_axis(dice, rows, grid.rows()), across = random_axis(dice, cols, grid.cols());
  for (Axis* axis : {&down, &across}) axis->source = std::max(axis->source, 0);
  Matrix x(grid, 1, down, across, dice.one_of({0, 0, 1, 9}));
  if (!grid.inside()) x.desc = {-5, -1, -7, -7, 0, 0, 99, 99, -1};
  return x;
}

Copy random_copy(Dice& dice, const Grid& from, const Grid& to) {
  const int m = random_size(dice), n = random_size(dice);
  std::array<int, 4> at{};
  for (int& x : at) x = dice.maybe(50) ? 0 : dice.between(0, 20);
  Matrix a = random_matrix(dice, from, at[0] + m + 2, std::max(1, at[1] + n));
  Matrix b = random_matrix(dice, to, std::max(1, at[2] + m), at[3] + n + 3);
  return {m, n, std::move(a), std::move(b), {at[0], at[2]}, {at[1], at[3]}};
}

TEST(Gemr2dAgainstScalapack, AgreesBetweenAnyTwoGrids) {
  Dice dice(11);
  const Grid line('R', 1, 6), block('C', 2, 3);
  for (int grids = 0; grids < 12; ++grids) {
    const auto from = random_grid(dice), to = random_grid(dice);
    for (const Routine& r : routines)
      for (int calls = 0; calls < 3; ++calls) {
        const Copy p = random_copy(dice, *from, *to);
        const bool from_c = dice.maybe(50);
        expect_same(r, p, dice.maybe(50) ? line.context() : block.context(), from_c);
      }
  }
}

TEST(Gemr2dAgainstScalapack, AgreesOnALargeMatrix) {
  const Grid all('R', 2, 3), from('R', 1, 6), to({5, 1, 0, 3}, 2, 2);
  const Copy p{1000,
               901,
               Matrix(from, 1, {1001, 0, 32, 0}, {905, 0, 32, 2}, 0),
               Matrix(to, 1, {1000, 0, 64, 1}, {902, 0, 50, 0}, 1),
               {1, 0},
               {4, 1}};
  for (const Routine& r : routines) expect_same(r, p, all.context(), true);
}

class ArgumentsOfGemr2d : public ::testing::Test {
 protected:
  struct Call : Copy {
    int context;
  };
  enum Where { on_one_rank, on_all };

  // The call, changed; B stays as it was.
  template <class Change>
  std::vector<Abort> verdict(Change change, Where where) {
    Call p = good;
    if (where == on_all || world_rank() == 4) change(p);
    const Bytes A(p.a.storage() * 8), before = bits(p.b, 8, 3);
    Bytes B = before;
    Cpdgemr2d(p.m, p.n, A.data(), p.i[0] + 1, p.j[0] + 1, p.a.desc.data(), B.data(), p.i[1] + 1, p.j[1] + 1,
              p.b.desc.data(), p.context);
    EXPECT_EQ(B, before);
    return take_aborts();
  }
  template <class Change>
  void refused(int info, Where where, Change change) {
    EXPECT_EQ(verdict(change, where), (std::vector<Abort>{{"PDGEMR2D", info}}));
  }

  Grid all{'R', 1, 6}, from{'R', 2, 3}, to{'R', 3, 2}, other{'C', 2, 3}, part{'R', 2, 2};
  Call good{{9,
             8,
             Matrix(from, 1, {12, 0, 2, 0}, {12, 0, 3, 0}, 0),
             Matrix(to, 1, {12, 0, 2, 0}, {12, 0, 2, 0}, 0),
             {0, 0},
             {0, 0}},
            all.context()};
};

TEST_F(ArgumentsOfGemr2d, WhatDiffersBetweenRanksIsReportedOnAll) {
  refused(-1, on_one_rank, [](Call& p) { p.m = 8; });
  refused(-1, on_one_rank, [](Call& p) { p.m = 0; });
  refused(-1, on_one_rank, [](Call& p) { p.m = -1; });
  refused(-2, on_one_rank, [](Call& p) { p.n = 7; });
  refused(-2, on_one_rank, [](Call& p) { p.n = 0; });
  refused(-4, on_one_rank, [](Call& p) { p.i[0] = 1; });
  refused(-6, on_one_rank, [](Call& p) { p.a.desc[4] = 3; });
  refused(-9, on_one_rank, [](Call& p) { p.j[1] = 1; });
  refused(-10, on_one_rank, [](Call& p) { p.b.desc[7] = 1; });
}

TEST_F(ArgumentsOfGemr2d, ADifferentRoutineOnOneRankIsReportedOnAll) {
  const Bytes A(good.a.storage() * 8);
  Bytes B(good.b.storage() * 8);
  const bool here = world_rank() == 4;
  (here ? Cpsgemr2d : Cpdgemr2d)(good.m, good.n, A.data(), 1, 1, good.a.desc.data(), B.data(), 1, 1, good.b.desc.data(),
                                 good.context);
  EXPECT_EQ(take_aborts(), (std::vector<Abort>{{here ? "PSGEMR2D" : "PDGEMR2D", -1}}));
}

// ScaLAPACK crashes, runs out of memory or exits on some ranks alone.
TEST_F(ArgumentsOfGemr2d, WhatScalapackDoesNotNoticeIsReportedOnAll) {
  refused(-1, on_all, [](Call& p) { p.m = -1; });
  refused(-2, on_all, [](Call& p) { p.n = -3; });
  refused(-605, on_all, [](Call& p) { p.a.desc[4] = 0; });
  refused(-606, on_all, [](Call& p) { p.a.desc[5] = -4; });
  refused(-1005, on_all, [](Call& p) { p.b.desc[4] = -4; });
  refused(-1006, on_all, [](Call& p) { p.b.desc[5] = 0; });
  refused(-609, on_one_rank, [](Call& p) { p.a.desc[8] = 3; });
  refused(-609, on_all, [](Call& p) { p.a.desc[8] = 0; });
  refused(-1009, on_one_rank, [](Call& p) { p.b.desc[8] = 1; });
}

TEST_F(ArgumentsOfGemr2d, WrongContextsAreReportedOnAll) {
  const int dead = Grid('R', 1, 6).context();
  refused(-602, on_one_rank, [&](Call& p) { p.a.desc[1] = dead; });
  refused(-1002, on_one_rank, [](Call& p) { p.b.desc[1] = -1; });
  refused(-602, on_one_rank, [&](Call& p) { p.a.desc[1] = other.context(); });
  refused(-11, on_all, [&](Call& p) { p.context = dead; });
  refused(-11, on_all, [&](Call& p) { p.context = -1; });
  // A and B have ranks that are not in `part`; those outside see no context at all.
  EXPECT_EQ(verdict([&](Call& p) { p.context = part.context(); }, on_all),
            (std::vector<Abort>{{"PDGEMR2D", part.inside() ? -602 : -11}}));
}

TEST_F(ArgumentsOfGemr2d, NothingIsLookedAtWhereThereIsNothingToMove) {
  EXPECT_EQ(verdict([](Call& p) { p.m = 0, p.a.desc[1] = -7, p.b.desc[4] = 0; }, on_all), std::vector<Abort>{});
  EXPECT_EQ(verdict([](Call& p) { p.n = 0, p.m = -1, p.i[0] = 1 << 20; }, on_all), std::vector<Abort>{});
  EXPECT_EQ(verdict([](Call& p) { p.n = 0, p.context = -1; }, on_all), std::vector<Abort>{});
  Cpdgemr2d(0, 5, nullptr, 1, 1, nullptr, nullptr, 1, 1, nullptr, all.context());
  EXPECT_EQ(take_aborts(), std::vector<Abort>{});
}

}  // namespace
}  // namespace cairn::testing
