// Whether a product's panels are crossed: counted, then chosen.
#pragma once
#include <string>

#include "api/line_words.hpp"
#include "base/arithmetic.hpp"
#include "planner/limits.hpp"

namespace cairn {

/// Crossed panels leave both operands where they are, and most of them meet nothing where rows and columns of the grid
/// stand for different places. They are as many as there are ranks, so that messages and local products are more and
/// smaller: worth it where a rank receives much less. `sizes_of` counts the panels of a deal.
template <class SizesOf>
PanelDeal fewest_words(const BlockDistribution& c, const BlockDistribution& a_lies, const BlockDistribution& b_lies,
                       SizesOf sizes_of) {
  const PanelDeal usual(c, a_lies, b_lies);
  if (!PanelDeal::may_cross(c, a_lies, b_lies) || c.ranks() > limits.crossed_panels) return usual;
  PanelDeal crossed(c, a_lies, b_lies, true);
  const OperandSizes sizes = sizes_of(crossed);
  const double all = received(Fetch25d{c.pr, c.pc}, real(sizes.A.words()), real(sizes.B.words()), 0);
  return received_on_one_layer(sizes.A, sizes.B, crossed.grid) <= limits.crossing * all ? crossed : usual;
}

/// Of op(A) and op(B) for a product on C's grid; a spelling says so itself. Collective.
template <class T>
PanelDeal deal_panels(const Comm& comm, const ProductOperand<T>& A, const ProductOperand<T>& B,
                      const BlockDistribution& c, const std::string& spelling) {
  if (!spelling.empty()) {
    const std::optional<Fetch25d> form = find_fetch25d(spelling);
    return {c, A.where(), B.where(), form && form->crossed && PanelDeal::may_cross(c, A.where(), B.where())};
  }
  return fewest_words(c, A.where(), B.where(), [&](const PanelDeal& deal) {
    return OperandSizes(deal, LineWords(comm, A, B, c, deal.grid.k(), deal.panel));
  });
}

}  // namespace cairn
