// What rows and columns of a grid have of the operands of a product of block-sparse matrices.
#pragma once
#include <cmath>

#include "api/panel_deal.hpp"
#include "api/product_operand.hpp"
#include "base/arithmetic.hpp"
#include "cairn/comm.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn {

/// Words of op(A) in each row of C's grid, and of op(B) in each of its columns, by parts of the inner dimension:
/// counted from the patterns, wherever they lie.
class LineWords {
 public:
  /// Block k of the inner dimension belongs to part `part_of[k]`, of so many. Collective.
  template <class T>
  LineWords(const Comm& comm, const ProductOperand<T>& A, const ProductOperand<T>& B, const BlockDistribution& c,
            Int parts, const std::vector<BlockIndex>& part_of)
      : rows_(c.pr), parts_(parts), all_(index(c.pr + c.pc, 0)) {
    A.for_each_block([&](BlockIndex i, BlockIndex k, Int words) {
      all_[index(c.row[place(i)], part_of[place(k)])] += static_cast<double>(words);
    });
    B.for_each_block([&](BlockIndex k, BlockIndex j, Int words) {
      all_[index(rows_ + c.col[place(j)], part_of[place(k)])] += static_cast<double>(words);
    });
    over_ranks(comm, MPI_SUM, all_);
  }

  Int parts() const { return parts_; }
  Int in_row(Int row, Int part) const { return std::llround(all_[index(row, part)]); }
  Int in_col(Int col, Int part) const { return std::llround(all_[index(rows_ + col, part)]); }

 private:
  std::size_t index(Int line, Int part) const { return place(line * parts_ + part); }

  Int rows_, parts_;
  std::vector<double> all_;
};

/// Sizes of the panels of A and of B.
struct OperandSizes {
  /// Parts are panels.
  OperandSizes(const PanelDeal& deal, const LineWords& x) : OperandSizes(deal.grid) {
    for (Int s = 0; s < x.parts(); ++s) add(x, s, s, 0);
  }
  /// Parts are blocks, which are counted.
  OperandSizes(const PanelDeal& deal, const LineWords& x, const std::vector<BlockIndex>& panel_of)
      : OperandSizes(deal.grid) {
    for (Int k = 0; k < x.parts(); ++k) add(x, k, panel_of[place(k)], 1);
  }
  PanelSizes A, B;

 private:
  explicit OperandSizes(const PanelGrid& grid) : A(grid.pr, grid.k), B(grid.k, grid.pc), grid_(grid) {}
  void add(const LineWords& x, Int part, Int panel, Int blocks) {
    const auto more = [&](PanelSizes::Size& to, Int words) { to.words += words, to.inner += words > 0 ? blocks : 0; };
    for (Int i = 0; i < grid_.pr; ++i) more(A.at(i, panel), x.in_row(i, part));
    for (Int j = 0; j < grid_.pc; ++j) more(B.at(panel, j), x.in_col(j, part));
  }
  PanelGrid grid_;
};

}  // namespace cairn
