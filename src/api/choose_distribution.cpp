#include "cairn/choose_distribution.hpp"

#include <algorithm>

#include "api/panel_deal.hpp"
#include "api/product_operand.hpp"
#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "runtime/sparse/exchange.hpp"
#include "schedule/panel_schedule.hpp"

namespace cairn {

namespace {

constexpr std::size_t place(Int i) { return static_cast<std::size_t>(i); }

// Words of X in each row of the grid by block column, and in each column of the grid by block row.
struct Lines {
  Int blocks;
  std::vector<double> all;

  template <class T>
  Lines(const BlockSparse<T>& X, const BlockDistribution& d)
      : blocks(static_cast<Int>(d.col.size())), all(place((d.pr + d.pc) * blocks)) {
    ProductOperand<T>(Op::none, X, {}, {}).for_each_block([&](BlockIndex i, BlockIndex j, Int words) {
      all[place(d.row[place(i)] * blocks + j)] += static_cast<double>(words);
      all[place((d.pr + d.col[place(j)]) * blocks + i)] += static_cast<double>(words);
    });
    sum_over_ranks(X.comm(), std::span<double>(all));
  }
  double in_row(Int r, Int k) const { return all[place(r * blocks + k)]; }
  double in_col(const BlockDistribution& d, Int c, Int k) const { return all[place((d.pr + c) * blocks + k)]; }
};

double busiest(const Lines& x, const BlockSizes& sizes, const BlockDistribution& d, int ranks) {
  double most = 0, sum = 0;
  for (Int r = 0; r < d.pr; ++r)
    for (Int c = 0; c < d.pc; ++c) {
      double products = 0;
      for (Int k = 0; k < x.blocks; ++k)
        if (sizes[place(k)] > 0) products += x.in_row(r, k) * x.in_col(d, c, k) / sizes[place(k)];
      most = std::max(most, products), sum += products;
    }
  return sum > 0 ? most * ranks / sum : 1;
}

// On a line of ranks only what they ask for travels, and who needs what is known: to rank r from rank s, of A or of B.
double received_on_a_line(const Lines& x, const PanelSizes& A, const PanelSizes& B, const BlockDistribution& d) {
  const bool b_moves = d.pc == 1;
  const std::vector<BlockIndex>& part = b_moves ? d.row : d.col;
  std::vector<double> needed(place(d.ranks()));  // by who has it
  double words = 0;
  for (Int r = 0; r < d.ranks(); ++r) {
    std::fill(needed.begin(), needed.end(), 0);
    for (Int k = 0; k < x.blocks; ++k)
      if ((b_moves ? x.in_row(r, k) : x.in_col(d, r, k)) > 0)
        needed[place(part[place(k)])] += b_moves ? x.in_col(d, 0, k) : x.in_row(0, k);
    for (Int s = 0; s < d.ranks(); ++s) {
      const PanelSizes::Size &moves = b_moves ? B.at(s, 0) : A.at(0, s), &stays = b_moves ? A.at(r, s) : B.at(s, r);
      if (r == s || stays.words == 0) continue;
      words += share_asked_for(moves, stays.inner) < 1 ? needed[place(s)] : static_cast<double>(moves.words);
    }
  }
  return words / static_cast<double>(d.ranks());
}

double received(const Lines& x, const BlockSizes& sizes, const BlockDistribution& d) {
  const PanelDeal deal(d, d, d);
  PanelSizes A(d.pr, deal.V), B(deal.V, d.pc);
  const auto add = [](PanelSizes::Size& to, double words) { to.words += std::llround(words), to.inner += words > 0; };
  for (Int k = 0; k < x.blocks; ++k) {
    const Int s = deal.panel[place(k)];
    for (Int r = 0; r < d.pr; ++r) add(A.at(r, s), x.in_row(r, k));
    for (Int c = 0; c < d.pc; ++c) add(B.at(s, c), x.in_col(d, c, k));
  }
  const BlockRange all{0, static_cast<BlockIndex>(sizes.size())};
  const ExpectedSums sums(A, B, panel_parts(sizes, all, d.row, d.pr), panel_parts(sizes, all, d.col, d.pc),
                          panel_parts(sizes, all, deal.panel, deal.V));
  PanelProblem problem = panel_problem(A, B, d.pr, d.pc, sums);
  if (d.pr == 1 || d.pc == 1) problem.on_one_layer = received_on_a_line(x, A, B, d);
  return panel_candidates(problem).front().received;
}

}  // namespace

template <class T>
std::vector<DistributionCost> distribution_costs(const BlockSparse<T>& X,
                                                 std::span<const BlockDistribution> candidates) {
  X.comm().agree_same("number of distributions", std::to_string(candidates.size()));
  if (X.rows() != X.cols())
    throw ArgumentError("X: rows and columns are in different blocks, expected the same, as X·X needs");
  std::vector<DistributionCost> costs;
  for (const BlockDistribution& d : candidates) {
    const BlockSparse<T> there(X.comm(), X.rows(), X.cols(), d);  // or an error on all ranks
    const Lines lines(X, d);
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
