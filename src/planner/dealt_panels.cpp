#include "planner/dealt_panels.hpp"

#include <cmath>
#include <random>

#include "base/arithmetic.hpp"
#include "model/dealt_blocks.hpp"

namespace cairn {

namespace {

// Where blocks differ, of as many elements each as in the mean.
PanelParts parts_of(const BlockDim& dim, const std::vector<Int>& blocks) {
  const double size = dim.blocks == 0 ? 0 : real(dim.elements()) / real(dim.blocks);
  PanelParts all;
  for (Int of_part : blocks) all.push_back({real(of_part) * size, real(of_part)});
  return all;
}

// Of each panel of the inner dimension: those that lie on the same column in A and row in B share their blocks in turn.
std::vector<Int> inner_blocks(Int blocks, const PanelGrid& grid, const std::vector<Int>& order) {
  const PanelGrid plain(grid.pr, grid.pc);
  const Int V = plain.k;
  const std::vector<Int> dealt = dealt_blocks(blocks, V, order);
  std::vector<Int> all(static_cast<std::size_t>(grid.k));
  for (Int v = 0; v < V;) {
    const Int col = plain.column_of_a(v), row = plain.row_of_b(v), first = v;
    Int both = 0;
    for (; v < V && plain.column_of_a(v) == col && plain.row_of_b(v) == row; ++v) both += dealt[place(v)];
    const Int panels = grid.crossed ? 1 : (v - first) * (grid.k / V),
              from = grid.crossed ? grid.number_in_a(col, row) : first * (grid.k / V);
    for (Int t = 0; t < panels; ++t)
      all[static_cast<std::size_t>(from + t)] = both / panels + (t < both % panels ? 1 : 0);
  }
  return all;
}

// As many blocks in each panel as independent ones happen to be.
PanelSizes drawn(const PanelParts& rows, const PanelParts& cols, double occupancy, bool filtered,
                 std::mt19937_64& random) {
  PanelSizes sizes(static_cast<Int>(rows.size()), static_cast<Int>(cols.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < cols.size(); ++j) {
      const double all = rows[i].blocks * cols[j].blocks, words = rows[i].elements * cols[j].elements;
      std::binomial_distribution<Int> there(static_cast<Int>(all), occupancy);
      const Int blocks = there(random);
      if (blocks == 0 || words == 0) continue;
      const double share = real(blocks) / all;
      sizes.at(static_cast<Int>(i), static_cast<Int>(j)) = {
          std::llround(words * share), std::llround(index_numbers(rows[i].blocks, cols[j].blocks, share, filtered))};
    }
  return sizes;
}

// The share of the blocks of C that products fall on, and the logarithm of the probability that one of these gets none.
struct Sums {
  double reached = 1, missing = 0;
  double occupancy(double share) const { return reached * occupancy_of_sums(missing, share); }
};

// Where fewer blocks of C are said to be there than random patterns lead to, as many products fall on fewer of them:
// there are more of them for each, and sums over a part of the inner dimension have nearly all blocks.
Sums sums_of(const BlockProblem& p) {
  const double products = expected_products(p), wanted = p.occupancy_c.value_or(1);
  if (products == 0) return {};
  const auto with = [&](double reached) { return Sums{reached, -products / reached}; };
  if (!p.occupancy_c) return with(1);
  if (wanted == 0) return {};
  double lo = wanted, hi = wanted;  // which lead to too few blocks, and to enough
  constexpr double far = 1e6;       // more blocks than products cannot be
  while (with(hi).occupancy(1) < wanted && hi < far) lo = hi, hi *= 2;
  for (int i = 0; i < 60 && hi < far; ++i) {
    const double middle = (lo + hi) / 2;
    (with(middle).occupancy(1) < wanted ? lo : hi) = middle;
  }
  return with(hi);
}

}  // namespace

// The logarithm stands for all that fall on a block, of which one is enough.
double expected_products(const BlockProblem& p) {
  const double both = p.occupancy_a * p.occupancy_b;
  return p.k.elements() == 0 || both == 0 ? 0 : -real(p.k.blocks) * std::log1p(-both);
}

double expected_occupancy(const BlockProblem& p) {
  const double all = expected_words(p.m, p.n, 1);
  return p.panels ? (all > 0 ? p.panels->sums.words(1) / all : 0) : sums_of(p).occupancy(1);
}

double expected_words(const BlockDim& rows, const BlockDim& cols, double occupancy) {
  return real(rows.elements()) * real(cols.elements()) * occupancy;
}

PanelProblem panel_problem(const BlockProblem& p, const PanelGrid& grid) {
  if (p.panels) return p.panels->problem;
  PanelProblem panels{grid, expected_words(p.m, p.k, p.occupancy_a), expected_words(p.k, p.n, p.occupancy_b)};
  panels.sums = [all = expected_words(p.m, p.n, 1), sums = sums_of(p)](double share) {
    return all * sums.occupancy(share);
  };
  return panels;
}

ProductPanels product_panels(const BlockProblem& p, const PanelGrid& grid) {
  if (p.panels) return *p.panels;
  ProductPanels x;
  x.problem = panel_problem(p, grid);
  const std::vector<Int> order = panel_order(grid.pr, grid.pc);
  x.m = parts_of(p.m, dealt_blocks(p.m.blocks, grid.pr, order));
  x.n = parts_of(p.n, dealt_blocks(p.n.blocks, grid.pc, order));
  x.k = parts_of(p.k, inner_blocks(p.k.blocks, grid, order));
  const auto [reached, missing] = sums_of(p);
  x.sums = ExpectedSums(reached, missing, x.m, x.n);
  if (!p.seed) {
    x.A = std::make_shared<PanelSizes>(expected_panels(x.m, x.k, p.occupancy_a, p.filtered));
    x.B = std::make_shared<PanelSizes>(expected_panels(x.k, x.n, p.occupancy_b, false));
    return x;
  }
  std::mt19937_64 random(*p.seed);
  x.A = std::make_shared<PanelSizes>(drawn(x.m, x.k, p.occupancy_a, p.filtered, random));
  x.B = std::make_shared<PanelSizes>(drawn(x.k, x.n, p.occupancy_b, false, random));
  if (!p.occupancy_c) x.sums = ExpectedSums(*x.A, *x.B, x.m, x.n, x.k);
  return x;
}

}  // namespace cairn
