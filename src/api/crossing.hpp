// Whether a product's panels are crossed: counted, then chosen.
#pragma once
#include <numeric>
#include <string>

#include "api/line_words.hpp"
#include "base/arithmetic.hpp"
#include "planner/limits.hpp"

namespace cairn {

/// Words of op(A) and op(B), counted by blocks of the inner dimension, that have to move before a product is done by a
/// deal.
inline double brought(const LineWords& x, const PanelDeal& deal, const BlockDistribution& a_lies,
                      const BlockDistribution& b_lies) {
  double words = 0;
  for (Int k = 0; k < x.parts(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    for (Int i = 0; i < deal.grid.pr; ++i) words += deal.a.col[at] == a_lies.col[at] ? 0 : real(x.in_row(i, k));
    for (Int j = 0; j < deal.grid.pc; ++j) words += deal.b.row[at] == b_lies.row[at] ? 0 : real(x.in_col(j, k));
  }
  return words;
}

/// Crossed panels leave both operands where they are, and most of them meet nothing where rows and columns of the grid
/// stand for different places. They are as many as there are ranks, so that messages and local products are more and
/// smaller: worth it where a rank receives much less. `counted` gives the words of op(A) and op(B) by blocks of the
/// inner dimension, if they matter.
template <class Counted>
PanelDeal fewest_words(const BlockDistribution& c, const BlockDistribution& a_lies, const BlockDistribution& b_lies,
                       Counted counted) {
  PanelDeal usual(c, a_lies, b_lies);
  if (!usual.may_cross || c.ranks() > limits.crossed_panels) return usual;
  PanelDeal crossed(c, a_lies, b_lies, true);
  const LineWords& x = counted();
  const auto words = [&](const PanelDeal& deal) {
    const OperandSizes sizes(deal, x, deal.panel);
    return brought(x, deal, a_lies, b_lies) / real(c.ranks()) + received_on_one_layer(sizes.A, sizes.B, deal.grid);
  };
  return words(crossed) <= limits.crossing * words(usual) ? crossed : usual;
}

/// Of op(A) and op(B) for a product on C's grid; a spelling says so itself. Collective.
template <class T>
PanelDeal deal_panels(const Comm& comm, const ProductOperand<T>& A, const ProductOperand<T>& B,
                      const BlockDistribution& c, const std::string& spelling) {
  if (!spelling.empty()) {
    const PanelDeal usual(c, A.where(), B.where());
    const std::optional<Fetch25d> form = find_fetch25d(spelling);
    return form && form->crossed && usual.may_cross ? PanelDeal(c, A.where(), B.where(), true) : usual;
  }
  return fewest_words(c, A.where(), B.where(), [&] {
    std::vector<BlockIndex> blocks(A.cols().size());
    std::iota(blocks.begin(), blocks.end(), 0);
    return LineWords(comm, A, B, c, static_cast<Int>(blocks.size()), blocks);
  });
}

}  // namespace cairn
