// What rows and columns of a grid have of the operands of a product of block-sparse matrices.
#pragma once
#include <cmath>

#include "api/panel_deal.hpp"
#include "api/product_operand.hpp"
#include "cairn/comm.hpp"
#include "runtime/sparse/exchange.hpp"

namespace cairn {

/// Words of op(A) in each row of C's grid, and of op(B) in each of its columns, by parts of the inner dimension:
/// counted from the patterns, wherever they lie.
class LineWords {
 public:
  /// Block k of the inner dimension belongs to part `part_of[k]`, of so many. Collective.
  template <class T>
  LineWords(const Comm& comm, const ProductOperand<T>& A, const ProductOperand<T>& B, const BlockDistribution& c,
            Int parts, const std::vector<BlockIndex>& part_of)
      : rows_(c.pr), parts_(parts), all_(place(c.pr + c.pc, 0)) {
    A.for_each_block([&](BlockIndex i, BlockIndex k, Int words) {
      all_[place(c.row[at(i)], part_of[at(k)])] += static_cast<double>(words);
    });
    B.for_each_block([&](BlockIndex k, BlockIndex j, Int words) {
      all_[place(rows_ + c.col[at(j)], part_of[at(k)])] += static_cast<double>(words);
    });
    sum_over_ranks(comm, std::span<double>(all_));
  }

  Int parts() const { return parts_; }
  Int in_row(Int row, Int part) const { return std::llround(all_[place(row, part)]); }
  Int in_col(Int col, Int part) const { return std::llround(all_[place(rows_ + col, part)]); }

 private:
  static std::size_t at(BlockIndex i) { return static_cast<std::size_t>(i); }
  std::size_t place(Int line, Int part) const { return static_cast<std::size_t>(line * parts_ + part); }

  Int rows_, parts_;
  std::vector<double> all_;
};

/// Sizes of the panels of A and of B, of which part p belongs to those of `panel[p]`. `blocks`: parts are blocks, and
/// counted.
struct OperandSizes {
  OperandSizes(const PanelDeal& deal, const LineWords& x, const std::vector<BlockIndex>& panel, bool blocks)
      : A(deal.a.pr, deal.V), B(deal.V, deal.b.pc) {
    const auto add = [&](PanelSizes::Size& to, Int words) { to.words += words, to.inner += blocks && words > 0; };
    for (Int p = 0; p < x.parts(); ++p) {
      const Int s = panel[static_cast<std::size_t>(p)];
      for (Int i = 0; i < deal.a.pr; ++i) add(A.at(i, s), x.in_row(i, p));
      for (Int j = 0; j < deal.b.pc; ++j) add(B.at(s, j), x.in_col(j, p));
    }
  }
  PanelSizes A, B;
};

}  // namespace cairn
