// p?tran, p?tranu and p?tranc of the drop-in against ScaLAPACK's own: results and codes for bad arguments.
#include "random_product.hpp"

#define CAIRN_DECLARE(name)                                                                                  \
  extern "C" void name(const int*, const int*, const void*, const void*, const int*, const int*, const int*, \
                       const void*, void*, const int*, const int*, const int*)
CAIRN_DECLARE(pstran_);
CAIRN_DECLARE(pdtran_);
CAIRN_DECLARE(pctranu_);
CAIRN_DECLARE(pctranc_);
CAIRN_DECLARE(pztranu_);
CAIRN_DECLARE(pztranc_);
#undef CAIRN_DECLARE

namespace cairn::testing {
namespace {

using Tran = decltype(pdtran_);

template <class Element>
struct Routine {
  using T = Element;
  const char* name;
  Tran* ours;
  Tran* theirs = original<Tran>(name);
};

/// sub(C) is m × n, sub(A) n × m.
template <class T>
struct Transposition {
  int m = 0, n = 0;
  T alpha = 1, beta = 0;
  std::vector<Matrix> matrices;  ///< A, C
  std::array<int, 2> i{}, j{};   ///< from 0

  Window window(std::size_t x) const { return {i[x], j[x], x == 0 ? n : m, x == 0 ? m : n}; }
  bool reads(std::size_t x) const { return x == 0 ? alpha != T(0) : beta != T(0); }
  std::string text() const {
    std::ostringstream out;
    out << m << "x" << n << " alpha " << alpha << " beta " << beta;
    for (std::size_t x = 0; x < 2; ++x) {
      out << "\n  "
          << "AC"[x] << '(' << i[x] + 1 << ',' << j[x] + 1 << "), descriptor";
      for (int entry : matrices[x].desc) out << ' ' << entry;
    }
    return out.str();
  }
};

template <class T>
void call(Tran* tran, const Transposition<T>& p, Storage<T>& data) {
  std::array<int, 4> at{p.i[0] + 1, p.j[0] + 1, p.i[1] + 1, p.j[1] + 1};
  tran(&p.m, &p.n, &p.alpha, data[0].data(), &at[0], &at[1], p.matrices[0].desc.data(), &p.beta, data[1].data(), &at[2],
       &at[3], p.matrices[1].desc.data());
}

// NaN wherever nothing may be read.
template <class T>
Storage<T> filled(const Transposition<T>& p) {
  Storage<T> data;
  for (std::size_t x = 0; x < 2; ++x) {
    data.emplace_back(p.matrices[x].storage(), T(std::numeric_limits<RealOf<T>>::quiet_NaN()));
    p.matrices[x].for_each([&](std::size_t position, int i, int j) {
      if (p.reads(x) && p.window(x).has(i, j)) data[x][position] = value<T>(x, i, j);
    });
  }
  return data;
}

template <class T>
void expect_same(const Routine<T>& routine, const Transposition<T>& p) {
  const Storage<T> data = filled(p);
  Storage<T> ours = data, theirs = data;
  call(routine.theirs, p, theirs);
  call(routine.ours, p, ours);
  EXPECT_EQ(take_aborts().size(), 0u) << p.text();
  const RealOf<T> most = 16 * std::numeric_limits<RealOf<T>>::epsilon() * (std::abs(p.alpha) + std::abs(p.beta));
  std::size_t wrong = 0;
  for (std::size_t x = 0; x < 2; ++x)
    p.matrices[x].for_each([&](std::size_t at, int i, int j) {
      const bool written = x == 1 && p.window(1).has(i, j);
      wrong += written ? !(std::abs(ours[x][at] - theirs[x][at]) <= most) : !same(ours[x][at], data[x][at]);
    });
  EXPECT_EQ(wrong, 0u) << routine.name << ' ' << p.text();
}

template <class T>
Transposition<T> random_transposition(Dice& dice, const Grid& grid) {
  Transposition<T> p;
  p.m = random_size(dice), p.n = random_size(dice);
  p.alpha = random_factor<T>(dice), p.beta = random_factor<T>(dice);
  for (std::size_t x = 0; x < 2; ++x) {
    p.i[x] = dice.maybe(50) ? 0 : dice.between(0, 20), p.j[x] = dice.maybe(50) ? 0 : dice.between(0, 20);
    const Window w = p.window(x);
    p.matrices.emplace_back(grid, dice.between(1, 2), random_axis(dice, std::max(1, w.i + w.rows + 2), grid.rows()),
                            random_axis(dice, std::max(1, w.j + w.cols), grid.cols()), dice.one_of({0, 0, 1, 9}));
  }
  return p;
}

template <class F>
void for_each_routine(F f) {
  f(Routine<float>{"pstran_", pstran_});
  f(Routine<double>{"pdtran_", pdtran_});
  f(Routine<std::complex<float>>{"pctranu_", pctranu_});
  f(Routine<std::complex<float>>{"pctranc_", pctranc_});
  f(Routine<std::complex<double>>{"pztranu_", pztranu_});
  f(Routine<std::complex<double>>{"pztranc_", pztranc_});
}

TEST(TranAgainstScalapack, AgreesOnRandomCalls) {
  Dice dice(5);
  for (int grids = 0; grids < 10; ++grids) {
    const auto grid = random_grid(dice);
    for_each_routine([&](const auto& routine) {
      using T = typename std::decay_t<decltype(routine)>::T;
      for (int calls = 0; calls < 4; ++calls) {
        const auto p = random_transposition<T>(dice, *grid);
        if (grid->inside()) expect_same(routine, p);
      }
    });
  }
}

TEST(TranAgainstScalapack, AgreesOnALargeMatrix) {
  const Grid grid('C', 3, 2);
  Dice dice(6);
  Transposition<double> p;
  p.m = 700, p.n = 501, p.beta = 0.5, p.j = {3, 64};
  p.matrices.emplace_back(grid, 1, Axis{501, 0, 64, 1}, Axis{703, 0, 32, 0}, 1);
  p.matrices.emplace_back(grid, 2, Axis{700, 5, 64, 2}, Axis{565, 1, 50, 1}, 0);
  expect_same(Routine<double>{"pdtran_", pdtran_}, p);
}

// With alpha = 0 and beta = 1 ScaLAPACK returns after its checks.
template <class T>
std::vector<Abort> verdict(Tran* tran, Transposition<T> p) {
  p.alpha = 0, p.beta = 1;
  Storage<T> none(2, std::vector<T>(1));
  call(tran, p, none);
  return take_aborts();
}

TEST(ArgumentsOfTran, EveryOneBadInTurnGivesScalapacksCode) {
  const Grid grid('R', 2, 3);
  Dice dice(7);
  int refused = 0;
  for_each_routine([&](const auto& routine) {
    using T = typename std::decay_t<decltype(routine)>::T;
    Transposition<T> good;
    good.m = 9, good.n = 8, good.i = {1, 2}, good.j = {2, 1};
    for (std::size_t x = 0; x < 2; ++x) good.matrices.emplace_back(grid, 2, Axis{14, 3, 2, 0}, Axis{14, 2, 3, 0}, 1);
    const auto with = [&](auto change) {
      Transposition<T> p = good;
      change(p);
      const std::vector<Abort> expected = verdict(routine.theirs, p);
      int objecting = !expected.empty();
      Cigsum2d(grid.context(), "All", " ", 1, 1, &objecting, 1, -1, 0);
      if (objecting != 0 && objecting != 6) return;  // the drop-in is called where all object or none
      EXPECT_EQ(verdict(routine.ours, p), expected) << routine.name << ' ' << p.text();
      refused += objecting > 0;
    };
    for (int x : {-1000, -1, 0, 1, 5, 100}) {
      with([&](auto& p) { p.m = x; });
      with([&](auto& p) { p.n = x; });
      for (std::size_t which : {0, 1}) {
        with([&](auto& p) { p.i[which] = x; });
        with([&](auto& p) { p.j[which] = x; });
        for (std::size_t entry = 0; entry < 11; ++entry) with([&](auto& p) { p.matrices[which].desc[entry] = x; });
      }
    }
  });
  EXPECT_GT(refused, 6 * 50);
}

}  // namespace
}  // namespace cairn::testing
