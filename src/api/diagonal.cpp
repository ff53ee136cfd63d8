#include "api/diagonal.hpp"

namespace cairn {

Diagonal::Diagonal(const Layout& l, Int rank) {
  const bool by_columns = l.order == Order::col;
  Int before = 0;  // words of earlier patches
  for (const Patch& p : l.patches(rank)) {
    const Int ld = l.blocks ? (by_columns ? p.rows : p.cols).size() : 0;
    const IndexSet held = p.rows.intersect(p.cols);
    for (Range r : held.pieces())
      for (Int number = r.lo; number < r.hi; ++number) {
        const Int row = p.rows.local(number), col = p.cols.local(number);
        places_.push_back({number, before + (by_columns ? row : col), by_columns ? col : row, ld});
      }
    before += p.words();
  }
}

}  // namespace cairn
