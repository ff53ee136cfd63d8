#include "cairn/choose_distribution.hpp"

#include <algorithm>
#include <numeric>

#include "api/crossing.hpp"
#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "cairn/error.hpp"
#include "planner/product_panels.hpp"

namespace cairn {

namespace {

double busiest(const LineWords& x, const BlockSizes& sizes, const BlockDistribution& d, int ranks) {
  double most = 0, sum = 0;
  for (Int r = 0; r < d.pr; ++r)
    for (Int c = 0; c < d.pc; ++c) {
      double products = 0;
      for (Int k = 0; k < x.parts(); ++k)
        if (sizes[place(k)] > 0) products += real(x.in_row(r, k)) * real(x.in_col(c, k)) / sizes[place(k)];
      most = std::max(most, products), sum += products;
    }
  return sum > 0 ? most * ranks / sum : 1;
}

// Words of A and of B that have to move first.
double brought(const LineWords& x, const PanelDeal& deal, const BlockDistribution& d) {
  double words = 0;
  for (Int k = 0; k < x.parts(); ++k) {
    for (Int i = 0; i < d.pr; ++i) words += deal.a.col[place(k)] == d.col[place(k)] ? 0 : real(x.in_row(i, k));
    for (Int j = 0; j < d.pc; ++j) words += deal.b.row[place(k)] == d.row[place(k)] ? 0 : real(x.in_col(j, k));
  }
  return words;
}

// Of which blocks are needed, everything is known: of a panel that nobody asks for, all that there are.
double received_exactly(const LineWords& x, const OperandSizes& panels, const PanelDeal& deal) {
  const PanelGrid& grid = deal.grid;
  std::vector<std::vector<Int>> blocks(place(grid.k));
  for (Int k = 0; k < x.parts(); ++k) blocks[place(deal.panel[place(k)])].push_back(k);
  const std::vector<Int> none;
  double words = 0;
  for (Int s = 0; s < grid.k; ++s)
    for (Int i = 0; i < grid.pr; ++i)
      for (Int j = 0; j < grid.pc; ++j) {
        const PanelSizes::Size &a = panels.A.at(i, s), &b = panels.B.at(s, j);
        if (a.words == 0 || b.words == 0) continue;
        const bool asked_a = share_asked_for(a, b.inner) < 1, asked_b = share_asked_for(b, a.inner) < 1;
        Int needed_a = asked_a ? 0 : a.words, needed_b = asked_b ? 0 : b.words;
        for (const Int k : asked_a || asked_b ? blocks[place(s)] : none) {
          const Int in_a = x.in_row(i, k), in_b = x.in_col(j, k);
          if (in_a == 0 || in_b == 0) continue;
          needed_a += asked_a ? in_a : 0, needed_b += asked_b ? in_b : 0;
        }
        words += real((grid.column_of_a(s) == j ? 0 : needed_a) + (grid.row_of_b(s) == i ? 0 : needed_b));
      }
  return words / real(grid.pr * grid.pc);
}

// Of a rank of the grid, in the mean.
double received(const LineWords& x, const BlockSizes& sizes, const BlockDistribution& d) {
  const auto count = [&](const PanelDeal& deal) {
    return CountedPanels{OperandSizes(deal, x, deal.panel), brought(x, deal, d)};
  };
  const PanelDeal deal = fewest_words(d, d, d, count);
  const auto [sized, moved] = count(deal);
  const BlockRange all{0, static_cast<BlockIndex>(sizes.size())};
  ProductPanels panels =
      known_panels(deal.grid, std::make_shared<PanelSizes>(sized.A), std::make_shared<PanelSizes>(sized.B),
                   panel_parts(sizes, all, d.row, d.pr), panel_parts(sizes, all, d.col, d.pc),
                   panel_parts(sizes, all, deal.panel, deal.grid.k));
  panels.problem.on_one_layer = received_exactly(x, sized, deal);
  return moved / real(d.ranks()) + panel_candidates(panels.problem).front().received;
}

// Of each block, the strip in which it lies.
std::vector<BlockIndex> strips(Int blocks, Int parts) {
  std::vector<BlockIndex> of(place(blocks));
  for (Int i = 0; i < blocks; ++i) of[place(i)] = static_cast<BlockIndex>(i * parts / blocks);
  return of;
}

}  // namespace

template <class T>
std::vector<DistributionCost> distribution_costs(const BlockSparse<T>& X,
                                                 std::span<const BlockDistribution> candidates) {
  X.comm().agree_same("number of distributions", std::to_string(candidates.size()));
  if (X.rows() != X.cols())
    throw ArgumentError("X: rows and columns are in different blocks, expected the same, as X·X needs");
  std::vector<DistributionCost> costs;
  std::vector<BlockIndex> each(X.rows().size());
  std::iota(each.begin(), each.end(), 0);
  const ProductOperand<T> operand(Op::none, X, {}, {});
  for (const BlockDistribution& d : candidates) {
    const BlockSparse<T> there(X.comm(), X.rows(), X.cols(), d);  // or an error on all ranks
    const LineWords lines(X.comm(), operand, operand, d, static_cast<Int>(each.size()), each);
    const double working = real(d.ranks()) / real(X.comm().size());
    costs.push_back({working * received(lines, X.rows(), d), busiest(lines, X.rows(), d, X.comm().size())});
  }
  return costs;
}

template <class T>
BlockDistribution choose_distribution(const BlockSparse<T>& X, std::span<const BlockDistribution> candidates) {
  const std::vector<DistributionCost> costs = distribution_costs(X, candidates);
  if (costs.empty()) throw ArgumentError("candidates: none, expected one distribution or more");
  const double most_even = std::ranges::min(costs, {}, &DistributionCost::busiest).busiest;
  constexpr double as_even = 1.1;
  std::size_t best = candidates.size();
  for (std::size_t i = 0; i < costs.size(); ++i)
    if (costs[i].busiest <= as_even * most_even &&
        (best == candidates.size() || costs[i].received < costs[best].received))
      best = i;
  return candidates[best];
}

template <class T>
BlockDistribution choose_distribution(const BlockSparse<T>& X) {
  const auto rows = static_cast<Int>(X.rows().size()), cols = static_cast<Int>(X.cols().size());
  const Int ranks = X.comm().size();
  const std::vector<BlockDistribution> candidates{BlockDistribution::dealt(rows, cols, ranks),
                                                  {ranks, 1, strips(rows, ranks), strips(cols, 1)},
                                                  {1, ranks, strips(rows, 1), strips(cols, ranks)}};
  return choose_distribution(X, std::span(candidates));
}

#define CAIRN_INSTANTIATE(T)                                                                                 \
  template std::vector<DistributionCost> distribution_costs(const BlockSparse<T>&,                           \
                                                            std::span<const BlockDistribution>);             \
  template BlockDistribution choose_distribution(const BlockSparse<T>&, std::span<const BlockDistribution>); \
  template BlockDistribution choose_distribution(const BlockSparse<T>&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
