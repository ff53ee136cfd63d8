#include "scalapack/solve_layout.hpp"

#include <fmt/format.h>

namespace cairn::scalapack {

namespace {

struct Sides {
  Dealt rows, cols;
  Int m, n;
  Sides(const MatrixArgument& x, const ProcessGrid& grid)
      : rows(rows_of(x.desc, grid).from(x.i)), cols(cols_of(x.desc, grid).from(x.j)), m(x.rows), n(x.cols) {}
  bool lie_in_blocks(Int b, const Rotation& from) const {
    return lies_in_blocks(rows, m, b, from.row) && lies_in_blocks(cols, n, b, from.col);
  }
};

int begins(const Dealt& x) { return x.everywhere() ? 0 : x.src; }

}  // namespace

SolveLayout::SolveLayout(const ProcessGrid& grid, bool as_stored, const MatrixArgument& a, const MatrixArgument& b)
    : grid_(grid), a_(a), b_(b), as_stored_(as_stored) {
  const Sides of_a(a, grid), of_b(b, grid);
  const auto copies = [](const Dealt& x) { return x.src < 0 && x.parts > 1; };
  copies_of_b_ = copies(of_b.rows) || copies(of_b.cols);
  if (copies_of_b_) return;
  const Rotation from{begins(of_b.rows), begins(of_b.cols)};
  // Where there is one row of ranks, or one column, blocks along it may be of any size.
  for (Int size : {of_a.rows.block, of_a.cols.block, of_b.rows.block, of_b.cols.block}) {
    if (!of_b.lie_in_blocks(size, from)) continue;
    const bool both = of_a.lie_in_blocks(size, from);
    if (block_ > 0 && !both) continue;
    block_ = size, fit_ = both, rotation_ = from;
    if (both) return;
  }
}

std::string SolveLayout::algorithm() const {
  if (block_ == 0) return "";
  return fmt::format("{} {}x{} b={}", as_stored_ ? "trsm" : "trsm_lazy", grid_.rows, grid_.cols, block_);
}

std::optional<Layout> SolveLayout::a_to_move() const {
  if (fit_) return {};
  return layout(a_);
}

std::optional<Layout> SolveLayout::b_to_move() const {
  if (block_ > 0) return {};
  return layout(b_);
}

}  // namespace cairn::scalapack
