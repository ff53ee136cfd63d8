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

TEST(ArgumentsOfGemr2d, WhatDiffersBetweenRanksIsReportedOnAll) {
  const Grid all('R', 1, 6), from('R', 2, 3), to('R', 3, 2);
  const Copy good{9, 8, Matrix(from, 1, {12, 0, 2, 0}, {12, 0, 3, 0}, 0),
                  Matrix(to, 1, {12, 0, 2, 0}, {12, 0, 2, 0}, 0)};
  const auto refused = [&](auto change, int info) {
    Copy p = good;
    if (world_rank() == 4) change(p);
    const Bytes A(p.a.storage() * 8), before = bits(p.b, 8, 3);
    Bytes B = before;
    Cpdgemr2d(p.m, p.n, A.data(), p.i[0] + 1, p.j[0] + 1, p.a.desc.data(), B.data(), p.i[1] + 1, p.j[1] + 1,
              p.b.desc.data(), all.context());
    EXPECT_EQ(take_aborts(), (std::vector<Abort>{{"PDGEMR2D", info}}));
    EXPECT_EQ(B, before);
  };
  refused([](Copy& p) { p.m = 8; }, -1);
  refused([](Copy& p) { p.n = 7; }, -2);
  refused([](Copy& p) { p.i[0] = 1; }, -4);
  refused([](Copy& p) { p.a.desc[4] = 3; }, -6);
  refused([](Copy& p) { p.j[1] = 1; }, -9);
  refused([](Copy& p) { p.b.desc[7] = 1; }, -10);
}

}  // namespace
}  // namespace cairn::testing
