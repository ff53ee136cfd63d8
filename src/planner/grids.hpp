// Every grid pm·pn·pk ≤ p, in boxes that a bound can discard.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>

#include "cairn/types.hpp"

namespace cairn {

/// Grids with parts between lo and hi in every dimension (m, n, k).
struct GridBox {
  std::array<Int, 3> lo, hi;
};

/// Which grids: between `fewest` and `most` ranks, at most cap[d] parts of dimension d.
struct GridRange {
  Int fewest, most;
  std::array<Int, 3> cap;
};

/// More or fewer parts of one dimension, and of another as many as the ranks then allow.
template <class Visit>
void for_each_neighbour(const GridRange& range, const std::array<Int, 3>& from, Visit visit) {
  const auto allowed = [&](const std::array<Int, 3>& g) {
    return g[0] * g[1] * g[2] >= range.fewest && g[0] * g[1] * g[2] <= range.most;
  };
  for (std::size_t x = 0; x < 3; ++x)
    for (Int parts : {from[x] - 1, from[x] + 1, from[x] * 4 / 5, from[x] * 5 / 4, from[x] / 2, from[x] * 2}) {
      if (parts < 1 || parts > range.cap[x]) continue;
      std::array<Int, 3> grid = from;
      grid[x] = parts;
      if (allowed(grid)) visit(grid);
      for (std::size_t y = 0; y < 3; ++y) {
        if (y == x) continue;
        const Int others = parts * from[3 - x - y];
        if (others > range.most) continue;
        grid = from;
        grid[x] = parts;
        grid[y] = std::clamp<Int>(range.most / others, 1, range.cap[y]);
        if (allowed(grid)) visit(grid);
      }
    }
}

/// Branch and bound. `prune(box)`: nothing in the box is wanted; `visit(grid)`: this one may be. A sorted triple
/// a ≤ b ≤ c has a ≤ ∛p and b ≤ √(p/a): boxes have one a, a range of b and the range of c that goes with it, and
/// are split until b and c are one number each.
template <class Prune, class Visit>
class GridWalk {
 public:
  GridWalk(const GridRange& range, Prune prune, Visit visit) : range_(range), prune_(prune), visit_(visit) {}

  void run() {
    std::array<std::size_t, 3> d{0, 1, 2};
    do {
      for (Int a = 1; a <= range_.cap[d[0]] && a * a * a <= range_.most; ++a) {
        const Int most = std::min(range_.cap[d[1]], root(range_.most / a));
        if (a <= most) split_b(d, a, a, most);
      }
    } while (std::next_permutation(d.begin(), d.end()));
  }

 private:
  static Int root(Int x) {
    auto r = static_cast<Int>(std::sqrt(static_cast<double>(x)));
    while (r * r > x) --r;
    while ((r + 1) * (r + 1) <= x) ++r;
    return r;
  }
  void split_b(const std::array<std::size_t, 3>& d, Int a, Int lo, Int hi) {
    GridBox box;
    box.lo[d[0]] = box.hi[d[0]] = a;
    box.lo[d[1]] = lo;
    box.hi[d[1]] = hi;
    box.lo[d[2]] = std::max(lo, (range_.fewest + a * hi - 1) / (a * hi));
    box.hi[d[2]] = std::min(range_.cap[d[2]], range_.most / (a * lo));
    if (lo == hi) return split_c(box, d[2]);
    if (box.lo[d[2]] > box.hi[d[2]] || prune_(box)) return;
    const Int middle = root(lo * hi);  // boxes whose sides have the same ratio are equally tight
    split_b(d, a, lo, middle);
    split_b(d, a, middle + 1, hi);
  }
  void split_c(const GridBox& box, std::size_t c) {
    const Int lo = box.lo[c], hi = box.hi[c];
    if (lo > hi || prune_(box)) return;
    if (lo == hi) return visit_(box.lo);
    GridBox half = box;
    half.lo[c] = lo + (hi - lo) / 2 + 1;
    split_c(half, c);
    half.hi[c] = half.lo[c] - 1;
    half.lo[c] = lo;
    split_c(half, c);
  }

  const GridRange& range_;
  Prune prune_;
  Visit visit_;
};

}  // namespace cairn
