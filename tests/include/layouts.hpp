// Layouts of many kinds, and what one rank lacks of another's, by looking at every element.
#pragma once
#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/cosma.hpp"
#include "cairn/layout.hpp"
#include "problem.hpp"

namespace cairn::testing {

/// A caller's layout, one of many kinds, chosen by `which`.
inline Layout some_layout(Int m, Int n, Int ranks, unsigned which) {
  std::mt19937 random(which);
  const auto pick = [&](Int lo, Int hi) {
    return lo + static_cast<Int>(random() % static_cast<unsigned>(hi - lo + 1));
  };
  const Order order = random() % 2 ? Order::col : Order::row;
  Int pr = pick(1, ranks);
  while (ranks % pr) --pr;
  switch (which % 5) {
    case 0: return Layout::row_blocks(m, n, ranks, order);
    case 1: return Layout::col_blocks(m, n, pick(1, ranks), order);
    case 2: return Layout::on_one_rank(m, n, order);
    case 3: {
      Layout l = Layout::block_cyclic(
          m, n, {pick(1, 5), pick(1, 5), pr, ranks / pr, pick(0, pr - 1), pick(0, ranks / pr - 1), random() % 2 == 0});
      l.order = order;
      return l;
    }
    default: {
      Layout::Blocks blocks;
      const auto bounds = [&](Int extent) {
        std::vector<Int> b{0, extent};
        for (int c = 0; c < 3; ++c) b.push_back(pick(0, extent));
        std::sort(b.begin(), b.end());
        return b;
      };
      blocks.row_bounds = bounds(m);
      blocks.col_bounds = bounds(n);
      for (std::size_t b = 0; b < 16; ++b) blocks.owner.push_back(pick(0, ranks - 1));
      return Layout::arbitrary(m, n, ranks, blocks, order);
    }
  }
}

/// A copy of the matrix on every rank.
inline Layout on_every_rank(Int m, Int n, Int ranks, Order order = Order::col) {
  Layout l = Layout::on_one_rank(m, n, order);
  l.grid = Grid({{"p", ranks}});
  return l;
}

/// Dealt in blocks, the first one shorter, as part of a larger matrix is; no copy, or copies along one axis.
inline Layout dealt(Int m, Int n, Int ranks, unsigned which) {
  const Int pr = ranks % 2 == 0 ? 2 : 1;
  Layout l = Layout::block_cyclic(m, n, {3, 4, pr, ranks / pr, pr - 1, 0, which % 2 == 0});
  l.rows.cuts[0].first = 2, l.cols.cuts[0].first = 1;
  if (which % 3 == 1) l.rows.cuts.clear();
  if (which % 3 == 2) l.cols.cuts.clear();
  if (which % 4 == 3) l.order = Order::row;
  return l;
}

/// On a grid of some of the ranks, the last one first.
inline Layout placed(Int m, Int n, Int ranks, unsigned which) {
  const Int used = which % 2 == 0 ? ranks : (ranks + 1) / 2;
  Layout l = Layout::block_cyclic(m, n, {2, 3, used, 1});
  std::vector<Int> places;
  for (Int p = 0; p < used; ++p) places.push_back(ranks - 1 - p * ranks / used);
  l.grid = l.grid.placed(std::move(places));
  if (which % 4 == 3) l.rows.cuts.clear();
  return l;
}

/// Every kind of layout, many of them twice.
inline std::vector<Layout> layouts(Int m, Int n, Int ranks) {
  std::vector<Layout> all;
  for (unsigned which = 0; which < 10; ++which) all.push_back(some_layout(m, n, ranks, which));
  for (unsigned which = 0; which < 6; ++which) all.push_back(dealt(m, n, ranks, which));
  for (unsigned which = 0; which < 4; ++which) all.push_back(placed(m, n, ranks, which));
  all.push_back(on_every_rank(m, n, ranks, Order::row));
  for (const char* cuts : {"pm", "pn", "pk"}) {  // COSMA's own, of all three matrices
    const Schedule s = cosma(problem(m, n, n, ranks), parse_cosma_cuts(cuts + std::to_string(ranks)));
    for (const char* x : {"A", "C"})
      if (s.layout(s.find(x)).m() == m && s.layout(s.find(x)).n() == n) all.push_back(s.layout(s.find(x)));
  }
  return all;
}

/// Whether a rank has element (i, j).
inline bool holds(const Layout& l, Int rank, Int i, Int j) {
  const std::vector<Patch> patches = l.patches(rank);
  return std::any_of(patches.begin(), patches.end(),
                     [=](const Patch& p) { return p.rows.local(i) >= 0 && p.cols.local(j) >= 0; });
}

/// Words of `wanted` that a rank does not hold of `held`.
inline Int lacking(const Layout& held, const Layout& wanted, Int rank) {
  std::vector<bool> here(static_cast<std::size_t>(held.m() * held.n()), false);
  const auto each = [&](const Layout& l, auto f) {
    for (const Patch& p : l.patches(rank))
      for (Range r : p.rows.pieces())
        for (Range c : p.cols.pieces())
          for (Int i = r.lo; i < r.hi; ++i)
            for (Int j = c.lo; j < c.hi; ++j) f(static_cast<std::size_t>(i * held.n() + j));
  };
  each(held, [&](std::size_t e) { here[e] = true; });
  Int words = 0;
  each(wanted, [&](std::size_t e) { words += here[e] ? 0 : 1; });
  return words;
}

}  // namespace cairn::testing
