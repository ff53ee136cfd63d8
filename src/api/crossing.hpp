// Whether a product's panels are crossed: counted, then chosen.
#pragma once
#include <string>

#include "api/line_words.hpp"
#include "base/arithmetic.hpp"
#include "planner/limits.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn {

/// Panels of a product, and the words of op(A) and op(B) that have to move before they are there.
struct CountedPanels {
  OperandSizes sizes;
  double brought = 0;
};

/// Crossed panels leave both operands where they are, and most of them meet nothing where rows and columns of the grid
/// stand for different places. They are as many as there are ranks, so that messages and local products are more and
/// smaller: worth it where a rank receives much less than by others on one layer. `count` counts the panels of a deal,
/// and is asked only if that matters.
template <class Count>
PanelDeal fewest_words(const BlockDistribution& c, const BlockDistribution& a_lies, const BlockDistribution& b_lies,
                       Count count) {
  PanelDeal usual(c, a_lies, b_lies, {c.pr, c.pc});
  if (!usual.may_cross || !usual.moves || c.ranks() > limits.crossed_panels) return usual;
  PanelDeal crossed(c, a_lies, b_lies, {c.pr, c.pc, true});
  const auto words = [&](const PanelDeal& deal) {
    const CountedPanels x = count(deal);
    return x.brought / real(c.ranks()) + received_on_one_layer(x.sizes.A, x.sizes.B, deal.grid);
  };
  return words(crossed) < limits.crossing * words(usual) ? crossed : usual;
}

/// In how many blocks of the inner dimension panels have anything, of operands that lie with the rows and the columns
/// of C: then all that a line of the grid has of one block is on one rank. Of matrices with a symmetry, which have
/// mirror images elsewhere, nobody knows.
template <class T>
void count_inner(const Comm& comm, const ProductOperand<T>& A, const ProductOperand<T>& B, const BlockDistribution& c,
                 const PanelDeal& deal, OperandSizes& sizes) {
  const Symmetry none = Symmetry::general;
  if (A.matrix().symmetry() != none || B.matrix().symmetry() != none) return;
  const PanelGrid& grid = deal.grid;
  std::vector<double> all(place((grid.pr + grid.pc) * grid.k));
  const auto at = [&](Int line, Int panel) -> double& { return all[place(line * grid.k + panel)]; };
  std::vector<bool> in_a(deal.panel.size()), in_b(deal.panel.size());
  const auto count = [&](std::vector<bool>& seen, BlockIndex k, Int line) {
    const auto number = place(k);
    if (!seen[number]) seen[number] = true, ++at(line, deal.panel[number]);
  };
  A.for_each_block([&](BlockIndex i, BlockIndex k, Int) { count(in_a, k, c.row[place(i)]); });
  B.for_each_block([&](BlockIndex k, BlockIndex j, Int) { count(in_b, k, grid.pr + c.col[place(j)]); });
  over_ranks(comm, MPI_SUM, all);
  for (Int s = 0; s < grid.k; ++s) {
    for (Int i = 0; i < grid.pr; ++i) sizes.A.at(i, s).inner = std::llround(at(i, s));
    for (Int j = 0; j < grid.pc; ++j) sizes.B.at(s, j).inner = std::llround(at(grid.pr + j, s));
  }
}

/// Of op(A) and op(B) for a product on C's grid; a spelling says so itself. `asks`: ranks may say which blocks they
/// need. Collective.
template <class T>
PanelDeal deal_panels(const Comm& comm, const ProductOperand<T>& A, const ProductOperand<T>& B,
                      const BlockDistribution& c, const std::string& spelling, bool asks) {
  if (!spelling.empty()) {
    const PanelDeal asked(c, A.where(), B.where(), {c.pr, c.pc, find_fetch25d(spelling)});
    return asked.grid.crossed && !asked.may_cross ? PanelDeal(c, A.where(), B.where(), {c.pr, c.pc}) : asked;
  }
  return fewest_words(c, A.where(), B.where(), [&](const PanelDeal& deal) {
    const LineWords words(comm, A, B, c, deal.grid.k, deal.panel);
    CountedPanels x{OperandSizes(deal, words)};
    if (asks) count_inner(comm, A, B, c, deal, x.sizes);
    A.for_each_block([&](BlockIndex, BlockIndex k, Int w) {
      x.brought += deal.a.col[place(k)] == A.where().col[place(k)] ? 0 : real(w);
    });
    B.for_each_block([&](BlockIndex k, BlockIndex, Int w) {
      x.brought += deal.b.row[place(k)] == B.where().row[place(k)] ? 0 : real(w);
    });
    x.brought = over_ranks(comm, MPI_SUM, x.brought);
    return x;
  });
}

}  // namespace cairn
