#include "algorithms/outline.hpp"

#include <algorithm>
#include <limits>

#include "base/arithmetic.hpp"

namespace cairn {

namespace {

// An even cut of one dimension: its longest piece, its shortest, and those at which a piece's length changes.
struct Pieces {
  Int size, parts;
  Int longest() const { return ceil_div(size, parts); }
  Int shortest() const { return size / parts; }
  Int at(Int index) const { return piece({0, size}, parts, index).size(); }
};

// A matrix of rows × cols, of which `sharers` ranks need the same block and share it along its columns or its rows.
struct Spread {
  Int sharers;
  bool by_columns;
  Int own(Int rows, Int cols, Int index) const {
    return by_columns ? rows * Pieces{cols, sharers}.at(index) : Pieces{rows, sharers}.at(index) * cols;
  }
};

}  // namespace

Outline spread_evenly(const Sought& sought, const std::array<Int, 3>& parts, char loop, Int rounds, Int width) {
  const auto [pm, pn, pk] = parts;
  const Pieces m{sought.dims.m, pm}, n{sought.dims.n, pn}, k{sought.dims.k, pk};
  const Spread A{pn, loop != 'm'}, B{pm, loop == 'n'}, C{pk, loop != 'm'};
  const Int M = m.longest(), N = n.longest(), K = k.longest();
  Outline o;
  o.parts = parts, o.loop = loop, o.rounds = o.busy = rounds;
  // Of ranks with equally long pieces the last has the smallest shares; along k the first has the longest piece. Of
  // layers the last rank tells about as much, in a quarter of the time, which is 3 ms on 1024 ranks.
  const bool layers = loop == 'k' && pk > 1;
  for (Int i : {layers ? -1 : m.size % pm - 1, pm - 1})
    for (Int j : {layers ? -1 : n.size % pn - 1, pn - 1}) {
      if (i < 0 || j < 0) continue;
      const Int mi = m.at(i), nj = n.at(j);
      const Int words = mi * K - A.own(mi, K, j) + K * nj - B.own(K, nj, i) + (pk - 1) * C.own(mi, nj, 0);
      o.received = std::max(o.received, real(words));
    }
  const bool sums = loop != 'k';  // in each round
  const auto others = [](Int p) { return p > 1 ? 1 - 1 / real(p) : 0; };
  o.messages = real(rounds - 1) * (others(pn) + others(pm) + (sums ? others(pk) : 0));
  o.own = A.own(M, K, 0) + B.own(K, N, 0) + C.own(M, N, 0);
  const auto held = [&](Int sharers, Int rows, Int cols, bool panels, Int across) {
    return sharers == 1 ? 0 : panels ? real(width * across) : real(rows * cols);
  };
  o.memory = real(o.own) + held(pn, M, K, loop != 'n', loop == 'm' ? K : M) +
             held(pm, K, N, loop != 'm', loop == 'n' ? K : N) + held(pk, M, N, sums, loop == 'm' ? N : M);
  o.product = {M, N, K};
  const Int low_m = m.shortest(), low_n = n.shortest(), low_k = k.shortest();
  o.before_last = (pn > 1 ? real(low_m * low_k - A.own(low_m, low_k, 0)) : 0) +
                  (pm > 1 ? real(low_k * low_n - B.own(low_k, low_n, 0)) : 0);
  return o;
}

Outline in_layers(const Sought& sought, const std::array<Int, 3>& grid, Int rounds, Int width) {
  const auto [pr, pc, layers] = grid;
  const Int pieces = ceil_div(ceil_div(sought.dims.k, layers), std::max<Int>(1, width));
  Outline o = spread_evenly(sought, grid, 'k', std::clamp<Int>(pieces, 1, rounds), width);
  o.rounds = rounds;
  if (layers == 1) return o;
  const double M = real(o.product[0]), N = real(o.product[1]), k = real(sought.dims.k), sums = M * N;
  const double copies = M * k / real(pc) + N * k / real(pr), others = real(layers - 1);
  o.received += std::max(copies, others * sums) - others / real(layers) * sums;
  o.memory = sums + copies + std::max(copies, sums);
  o.after_last = sums, o.beside = copies;
  return o;
}

Outline in_panels(const Sought& sought, const std::array<Int, 3>& parts, char loop, Int b) {
  const Int size = loop == 'm' ? sought.dims.m : loop == 'n' ? sought.dims.n : sought.dims.k;
  const Int owners = std::max({parts[0], parts[1], parts[2]});
  const Int rounds = std::max<Int>({1, ceil_div(size, b), std::min(size, owners)});
  Outline o = spread_evenly(sought, parts, loop, rounds, std::min({b, size, size / owners + 1}));
  o.thinnest = b == 1;
  return o;
}

Int width_that_fits(const Sought& sought, const std::array<Int, 3>& parts, char loop) {
  constexpr Int most = std::numeric_limits<Int>::max();
  if (!sought.memory_words) return most;
  const double fixed = spread_evenly(sought, parts, loop, 1, 0).memory;
  const double each = spread_evenly(sought, parts, loop, 1, 1).memory - fixed;
  if (each == 0) return most;
  return std::max<Int>(1, static_cast<Int>((real(*sought.memory_words) - fixed) / each));
}

}  // namespace cairn
