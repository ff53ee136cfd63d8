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

constexpr std::size_t place(Int i) { return static_cast<std::size_t>(i); }

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

// On a line of ranks only what they ask for travels, and who needs what is known: to rank r from rank s, of A or of B.
double received_on_a_line(const LineWords& x, const OperandSizes& panels, const BlockDistribution& d) {
  const bool b_moves = d.pc == 1;
  const std::vector<BlockIndex>& part = b_moves ? d.row : d.col;
  std::vector<Int> needed(place(d.ranks()));  // by who has it
  double words = 0;
  for (Int r = 0; r < d.ranks(); ++r) {
    std::fill(needed.begin(), needed.end(), 0);
    for (Int k = 0; k < x.parts(); ++k)
      if ((b_moves ? x.in_row(r, k) : x.in_col(r, k)) > 0)
        needed[place(part[place(k)])] += b_moves ? x.in_col(0, k) : x.in_row(0, k);
    for (Int s = 0; s < d.ranks(); ++s) {
      const PanelSizes::Size &moves = b_moves ? panels.B.at(s, 0) : panels.A.at(0, s),
                             &stays = b_moves ? panels.A.at(r, s) : panels.B.at(s, r);
      if (r == s || stays.words == 0) continue;
      words += real(share_asked_for(moves, stays.inner) < 1 ? needed[place(s)] : moves.words);
    }
  }
  return words / real(d.ranks());
}

// Words of A, or of B, that have to be moved before they are multiplied.
double brought(const LineWords& x, const BlockDistribution& d, const PanelDeal& deal) {
  double words = 0;
  for (Int k = 0; k < x.parts(); ++k) {
    for (Int i = 0; i < d.pr; ++i) words += deal.a.col[place(k)] == d.col[place(k)] ? 0 : real(x.in_row(i, k));
    for (Int j = 0; j < d.pc; ++j) words += deal.b.row[place(k)] == d.row[place(k)] ? 0 : real(x.in_col(j, k));
  }
  return words;
}

double received(const LineWords& x, const BlockSizes& sizes, const BlockDistribution& d) {
  const auto sizes_of = [&](const PanelDeal& deal) { return OperandSizes(deal, x, deal.panel); };
  const PanelDeal deal = fewest_words(d, d, d, sizes_of);
  const OperandSizes sized = sizes_of(deal);
  const BlockRange all{0, static_cast<BlockIndex>(sizes.size())};
  ProductPanels panels =
      known_panels(deal.grid, std::make_shared<PanelSizes>(sized.A), std::make_shared<PanelSizes>(sized.B),
                   panel_parts(sizes, all, d.row, d.pr), panel_parts(sizes, all, d.col, d.pc),
                   panel_parts(sizes, all, deal.panel, deal.grid.k()));
  if (d.pr == 1 || d.pc == 1) panels.problem.on_one_layer = received_on_a_line(x, sized, d);
  return brought(x, d, deal) / real(d.ranks()) + panel_candidates(panels.problem).front().received;
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
    costs.push_back({received(lines, X.rows(), d), busiest(lines, X.rows(), d, X.comm().size())});
  }
  return costs;
}

template <class T>
BlockDistribution choose_distribution(const BlockSparse<T>& X, std::span<const BlockDistribution> candidates) {
  const std::vector<DistributionCost> costs = distribution_costs(X, candidates);
  if (costs.empty()) throw ArgumentError("candidates: none, expected one distribution or more");
  double most_even = costs.front().busiest;
  for (const DistributionCost& c : costs) most_even = std::min(most_even, c.busiest);
  constexpr double as_even = 1.1;
  std::size_t best = candidates.size();
  for (std::size_t i = 0; i < costs.size(); ++i)
    if (costs[i].busiest <= as_even * most_even &&
        (best == candidates.size() || costs[i].received < costs[best].received))
      best = i;
  return candidates[best];
}

#define CAIRN_INSTANTIATE(T)                                                                     \
  template std::vector<DistributionCost> distribution_costs(const BlockSparse<T>&,               \
                                                            std::span<const BlockDistribution>); \
  template BlockDistribution choose_distribution(const BlockSparse<T>&, std::span<const BlockDistribution>);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
