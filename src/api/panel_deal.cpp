#include "api/panel_deal.hpp"

#include "base/arithmetic.hpp"

namespace cairn {

PanelDeal::PanelDeal(const BlockDistribution& c, const BlockDistribution& a_lies, const BlockDistribution& b_lies,
                     const PanelGrid& panels)
    : grid(panels),
      panel(a_lies.col.size()),
      a{c.pr, c.pc, c.row, std::vector<BlockIndex>(panel.size()), c.row_major},
      b{c.pr, c.pc, std::vector<BlockIndex>(panel.size()), c.col, c.row_major} {
  const auto on_grid = [&](const BlockDistribution& x) {
    return x.pr == c.pr && x.pc == c.pc && x.row_major == c.row_major;
  };
  const bool a_fits = on_grid(a_lies) && a_lies.row == c.row, b_fits = on_grid(b_lies) && b_lies.col == c.col;
  std::vector<Int> turns(place(c.pr * c.pc));  // of pairs of a column and a row
  const auto panel_of = [&](std::size_t k) {
    if (grid.crossed) return grid.number_in_a(a_lies.col[k], b_lies.row[k]);
    // Of the panels on the column of A and on the row of B, those that both have, in turn; of one of them alone if
    // none.
    Range of{0, grid.k};
    if (a_fits) of = {grid.number_in_a(a_lies.col[k], 0), grid.number_in_a(a_lies.col[k] + 1, 0)};
    if (b_fits) {
      const Range of_b{grid.number_in_b(b_lies.row[k], 0), grid.number_in_b(b_lies.row[k] + 1, 0)};
      of = intersect(of, of_b).empty() ? of : intersect(of, of_b);
    }
    const Int turn = a_fits && b_fits ? turns[place(b_lies.row[k] * c.pc + a_lies.col[k])]++ : static_cast<Int>(k);
    return of.lo + turn % of.size();
  };
  for (std::size_t k = 0; k < panel.size(); ++k) {
    panel[k] = static_cast<BlockIndex>(panel_of(k));
    a.col[k] = static_cast<BlockIndex>(grid.column_of_a(panel[k]));
    b.row[k] = static_cast<BlockIndex>(grid.row_of_b(panel[k]));
  }
  may_cross = c.pr > 1 && c.pc > 1 && a_fits && b_fits;
  moves = !a_fits || !b_fits || a.col != a_lies.col || b.row != b_lies.row;
}

PanelParts panel_parts(const BlockSizes& sizes, BlockRange range, const std::vector<BlockIndex>& part_of, Int count) {
  PanelParts all(place(count));
  for (BlockIndex i = range.from; i < range.to; ++i) {
    PanelPart& part = all[place(part_of[place(i)])];
    part.elements += sizes[place(i)], ++part.blocks;
  }
  return all;
}

}  // namespace cairn
