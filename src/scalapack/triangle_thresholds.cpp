#include "scalapack/triangle_thresholds.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"

namespace cairn::scalapack {

bool worth_factorising(Int order, Int ranks) {
  constexpr Int least_order = 512;
  constexpr double least_products = 1 << 22;  // of a rank
  return ranks > 1 && order >= least_order &&
         real(order) * real(order) * real(order) / 6 / real(ranks) >= least_products;
}

namespace {

double products_of_solve(Int order, Int others, Int ranks) {
  return real(order) * real(order) * real(others) / 2 / real(ranks);
}

// Each is some steps of a schedule, with a message or two.
bool few_large_blocks(Int order, Int block) {
  constexpr Int least_block = 16, most_blocks = 512;
  return block >= least_block && order / block <= most_blocks;
}

}  // namespace

bool worth_solving(Int order, Int others, Int ranks) {
  constexpr Int least_size = 256;
  constexpr double least_products = 1 << 23;
  return ranks > 1 && std::min(order, others) >= least_size &&
         products_of_solve(order, others, ranks) >= least_products;
}

// In a row of ranks a lower triangle's panels lie whole on one rank, from which ScaLAPACK sends as little, and less of
// the last ones.
bool gains_by_factorising(Uplo triangle, Int order, Int block, const ProcessGrid& grid) {
  const bool whole_panels = triangle == Uplo::lower ? grid.rows == 1 : grid.cols == 1;
  return !whole_panels && few_large_blocks(order, block);
}

// A triangle that is moved to be transposed is worth it only where ScaLAPACK moves much, too. In a column of ranks, B
// stays whole for a solve from the right, and ScaLAPACK is as fast; in a row of ranks, and from the left, it is not,
// for it estimates words wrongly and chooses another way.
bool gains_by_solving(Side side, bool as_stored, Int order, Int others, Int block, const ProcessGrid& grid) {
  constexpr double least_products = 1 << 26;  // where rows and columns both are dealt
  if (!few_large_blocks(order, block)) return false;
  if (grid.rows == 1) return as_stored;
  if (grid.cols == 1) return as_stored && side == Side::left;
  return products_of_solve(order, others, Int{grid.rows} * grid.cols) >= least_products;
}

// As measured: 0.3 ms a panel on 2 ranks, 0.45 ms on 4. A tenth of the time is saved.
double products_for_panels(Int panels, Int ranks) {
  constexpr double seconds_of_panel = 0.1e-3, saved = 0.1, products_per_second = 10e9;
  return seconds_of_panel * real(panels) * real(ranks + 1) * products_per_second / saved;
}

}  // namespace cairn::scalapack
