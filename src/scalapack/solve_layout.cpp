#include "scalapack/solve_layout.hpp"

#include <fmt/format.h>

#include "model/dealing.hpp"

namespace cairn::scalapack {

namespace {

struct Sides {
  Dealt rows, cols;
  Int m, n;
  Sides(const MatrixArgument& x, const ProcessGrid& grid)
      : rows(rows_of(x.desc, grid).from(x.i)), cols(cols_of(x.desc, grid).from(x.j)), m(x.rows), n(x.cols) {}
};

int begins(const Dealt& x) { return x.everywhere() ? 0 : x.src; }

}  // namespace

SolveLayout::SolveLayout(const ProcessGrid& grid, Side side, bool as_stored, const MatrixArgument& a,
                         const MatrixArgument& b)
    : grid_(grid), a_(a), b_(b), as_stored_(as_stored) {
  const Sides of_a(a, grid), of_b(b, grid);
  const auto copies = [](const Dealt& x) { return x.src < 0 && x.parts > 1; };
  copies_of_b_ = copies(of_b.rows) || copies(of_b.cols);
  if (copies_of_b_) return;
  const bool left = side == Side::left;
  const Dealt& order = left ? of_b.rows : of_b.cols;
  const Rotation from{begins(left ? of_b.rows : of_a.rows), begins(left ? of_a.cols : of_b.cols)};
  const Layout over_positions = from.layout(b.desc, b.i, b.j, b.rows, b.cols, grid);
  const Dim& others = left ? over_positions.cols : over_positions.rows;
  // Where there is one row of ranks, or one column, blocks along it may be of any size.
  for (Int size : {of_a.rows.block, of_a.cols.block, order.block}) {
    if (!lies_in_blocks(order, a.rows, size, left ? from.row : from.col)) continue;
    if (!dealt_about_evenly(others, over_positions.grid, left ? 1 : 0, size)) continue;
    const bool both =
        lies_in_blocks(of_a.rows, of_a.m, size, from.row) && lies_in_blocks(of_a.cols, of_a.n, size, from.col);
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

}  // namespace cairn::scalapack
