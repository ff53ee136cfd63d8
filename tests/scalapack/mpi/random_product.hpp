// Random calls of p?gemm: every rank draws the same.
#pragma once
#include <cstdlib>
#include <memory>
#include <random>

#include "product.hpp"

namespace cairn::testing {

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  int between(int low, int high) { return low + static_cast<int>(engine_() % static_cast<unsigned>(high - low + 1)); }
  template <class X>
  X one_of(std::initializer_list<X> values) {
    return values.begin()[between(0, static_cast<int>(values.size()) - 1)];
  }
  bool maybe(int percent) { return between(1, 100) <= percent; }

 private:
  std::mt19937 engine_;  // the same numbers everywhere, which the standard's distributions do not promise
};

/// Other random calls than usual where CAIRN_TEST_SEED says so.
inline unsigned seed() {
  const char* const text = std::getenv("CAIRN_TEST_SEED");
  return text ? static_cast<unsigned>(std::stoul(text)) : 1;
}

/// A grid of random shape on random ranks in a random order.
inline std::unique_ptr<Grid> random_grid(Dice& dice) {
  const int ranks = world_ranks(), rows = dice.between(1, ranks), cols = dice.between(1, ranks / rows);
  const int kind = dice.between(0, 2);
  if (kind < 2) return std::make_unique<Grid>("RC"[kind], rows, cols);
  std::vector<int> order(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) order[static_cast<std::size_t>(rank)] = rank;
  for (int last = ranks - 1; last > 0; --last)
    std::swap(order[static_cast<std::size_t>(last)], order[static_cast<std::size_t>(dice.between(0, last))]);
  return std::make_unique<Grid>(order, rows, cols);
}

inline Axis random_axis(Dice& dice, int size, int processes) {
  auto block = [&] { return dice.one_of({1, 2, 3, 4, 5, 7, 8, 16, 31, 64, 1000}); };
  return {size, block(), block(), dice.maybe(20) ? -1 : dice.between(0, processes - 1)};
}

template <class T>
T random_factor(Dice& dice) {
  const T factor = dice.one_of<RealOf<T>>({0, 1, 1, -1, RealOf<T>(0.75), RealOf<T>(-2.5)});
  if constexpr (!std::is_floating_point_v<T>)
    if (dice.maybe(50)) return factor + T(0, dice.one_of<RealOf<T>>({1, -1, RealOf<T>(0.5)}));
  return factor;
}

inline int random_size(Dice& dice) {
  return dice.one_of({0, 1, 2, 3, 17, 31, 32, dice.between(4, 60), dice.between(4, 130)});
}

/// Operands and factors of a random call; its matrices are to be added.
template <class T>
Product<T> random_operation(Dice& dice) {
  Product<T> p;
  p.trans = {dice.one_of({'N', 'T', 'C', 'n', 't', 'c'}), dice.one_of({'N', 'T', 'C', 'n', 't', 'c'})};
  p.m = random_size(dice), p.n = random_size(dice), p.k = random_size(dice);
  p.alpha = random_factor<T>(dice), p.beta = random_factor<T>(dice);
  return p;
}

/// Three matrices that have nothing to do with each other.
template <class T>
Product<T> random_product(Dice& dice, const Grid& grid) {
  auto p = random_operation<T>(dice);
  for (std::size_t x = 0; x < 3; ++x) {
    p.i[x] = dice.maybe(50) ? 0 : dice.between(0, 20), p.j[x] = dice.maybe(50) ? 0 : dice.between(0, 20);
    const Window w = p.window(x);
    const int rows = std::max(1, w.i + w.rows + dice.one_of({0, 0, 4}));
    const int cols = std::max(1, w.j + w.cols + dice.one_of({0, 0, 3}));
    p.matrices.emplace_back(grid, dice.between(1, 2), random_axis(dice, rows, grid.rows()),
                            random_axis(dice, cols, grid.cols()), dice.one_of({0, 0, 1, 9}));
  }
  return p;
}

/// Three matrices dealt out alike, as most programs have them: m, n and k are cut at the same places wherever they
/// occur.
template <class T>
Product<T> random_aligned_product(Dice& dice, const Grid& grid) {
  auto p = random_operation<T>(dice);
  struct Side {
    int offset, first, block;
  };
  std::array<Side, 3> sides;  // of m, n, k
  const int square = dice.maybe(50) ? dice.one_of({1, 3, 8, 32}) : 0;
  for (Side& s : sides) {
    s.block = s.first = square ? square : dice.one_of({1, 2, 3, 5, 8, 16});
    if (dice.maybe(20)) s.first = dice.between(1, 2 * s.block);
    s.offset = dice.maybe(50) ? 0 : dice.maybe(50) ? s.first + s.block : dice.between(0, 20);
  }
  const int row = dice.maybe(70) ? 0 : dice.between(0, grid.rows() - 1);
  const int col = dice.maybe(70) ? 0 : dice.between(0, grid.cols() - 1);
  constexpr std::size_t m = 0, n = 1, k = 2;
  const std::array<std::pair<std::size_t, std::size_t>, 3> shapes{{{m, k}, {k, n}, {m, n}}};
  for (std::size_t x = 0; x < 3; ++x) {
    auto [down, across] = shapes[x];
    if (p.transposed(x)) std::swap(down, across);
    p.i[x] = sides[down].offset, p.j[x] = sides[across].offset;
    const Window w = p.window(x);
    auto axis = [](int size, const Side& s, int source) { return Axis{std::max(1, size), s.first, s.block, source}; };
    p.matrices.emplace_back(grid, 2, axis(w.i + w.rows, sides[down], row), axis(w.j + w.cols, sides[across], col),
                            dice.one_of({0, 2}));
  }
  return p;
}

}  // namespace cairn::testing
