#include "scalapack/triangle_thresholds.hpp"

#include <cmath>

#include "base/arithmetic.hpp"

namespace cairn::scalapack {

double products_of_factorisation(Int order, Int ranks) {
  return real(order) * real(order) * real(order) / 6 / real(ranks);
}

double products_of_solve(Int order, Int others, Int ranks) {
  return real(order) * real(order) * real(others) / 2 / real(ranks);
}

bool worth_factorising(Int order, Int ranks) {
  constexpr Int least_order = 256;
  constexpr double least_products = 1 << 20;  // of a rank
  return ranks > 1 && order >= least_order && products_of_factorisation(order, ranks) >= least_products;
}

namespace {

constexpr Int least_block = 16;

// Each is some steps of a schedule, with a message or two.
bool few_large_blocks(Int order, Int block) {
  constexpr Int most_blocks = 2048;
  return block >= least_block && order / block <= most_blocks;
}

}  // namespace

bool worth_solving(Int order, Int others, Int ranks) {
  constexpr Int least_order = 256, least_others = 128;
  constexpr double least_products = 1 << 21;
  return ranks > 1 && order >= least_order && others >= least_others &&
         products_of_solve(order, others, ranks) >= least_products;
}

// Two ranks gain always, more of them if there are enough panels to hide. In a row of ranks a lower triangle's panels
// lie whole on one rank; of more than two, ScaLAPACK sends the last panels to fewer, and to one other it sends sums in
// place of the last two. On a grid that is taller than wide, its panels go down the columns in many pieces.
bool gains_by_factorising(Uplo triangle, Int order, Int block, const ProcessGrid& grid) {
  const int along = triangle == Uplo::lower ? grid.rows : grid.cols, across = grid.rows * grid.cols / along;
  if (!few_large_blocks(order, block)) return false;
  constexpr Int least_panels = 12, least_in_a_row = 8;
  if (grid.rows * grid.cols == 2) return along == 2 || order / block >= least_in_a_row;
  if (across == 1) return order / block >= least_panels;
  return along > 1 && along <= across;
}

// With tiny blocks ScaLAPACK multiplies at a low rate and waits for a message for each of them; with one or two there
// is nothing to share. The triangle travels twice, which takes a quarter of the time or less.
bool gains_elsewhere(Int order, Int block) {
  constexpr Int large_order = 4096;
  return block < least_block || (block == least_block && order >= large_order) || order <= 2 * block;
}

namespace {

// The triangle travels along a line of ranks, half of order² words. Where there are few right-hand sides ScaLAPACK
// moves these, or sums of them, about as many words as they have.
bool moves_more(Side side, Int order, Int others, const ProcessGrid& grid) {
  const Int line = side == Side::left ? grid.cols : grid.rows;
  return real(order) / 2 * real(line - 1) / real(Int{grid.rows} * grid.cols) > real(others);
}

// Of more ranks in a column, sums for a transposed triangle from the left wait for all, and as stored from the right
// hardly anything travels that could be hidden.
bool gains_on_many(bool left, bool as_stored, Int panels, double products_of_rank, const ProcessGrid& grid) {
  constexpr Int least_panels = 12;
  constexpr double least_products = 1 << 26;
  return panels >= least_panels && products_of_rank >= least_products && (grid.cols > 1 || left == as_stored);
}

}  // namespace

// In a row of ranks ScaLAPACK estimates words wrongly and moves several times as many. Elsewhere something is gained by
// products that hide the chain of panels, if there are enough of both: between two ranks for a transposed triangle
// soon; for one as it is stored later, and latest from the right, where ScaLAPACK's solves are as fast as products.
// docs/scalapack.md has the figures.
bool gains_by_solving(Side side, bool as_stored, Int order, Int others, Int block, const ProcessGrid& grid) {
  if (!few_large_blocks(order, block) || moves_more(side, order, others, grid)) return false;
  const bool left = side == Side::left, row = grid.rows == 1, two = grid.rows * grid.cols == 2;
  const Int panels = order / block;
  const double products = products_of_solve(order, others, 2);  // of either
  if (as_stored && row) return true;
  if (!two)
    return gains_on_many(left, as_stored, panels, products_of_solve(order, others, Int{grid.rows} * grid.cols), grid);
  if (!as_stored) return panels >= 4 && products >= 1 << 22;
  constexpr Int least_panels = 8, narrow_from_right = 32;
  constexpr double least_products = 1 << 28, least_from_left = 1 << 25;
  return panels >= least_panels && products >= (left ? least_from_left : least_products) &&
         (left || block > narrow_from_right);
}

// As measured of factorisations: 0.15 ms a panel on 2 ranks, 0.4 on 64 and 1.5 on 1024.
double products_for_panels(Int panels, Int ranks, double saved) {
  constexpr double products_per_second = 10e9;
  const double seconds_of_panel = 0.05e-3 * (1.6 + std::sqrt(real(ranks)));
  return seconds_of_panel * real(panels) * products_per_second / saved;
}

}  // namespace cairn::scalapack
