#include "scalapack/triangle_thresholds.hpp"

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
  constexpr Int least_order = 256, least_others = 128;
  constexpr double least_products = 1 << 21;
  return ranks > 1 && order >= least_order && others >= least_others &&
         products_of_solve(order, others, ranks) >= least_products;
}

// In a row of ranks a lower triangle's panels lie whole on one rank, from which ScaLAPACK sends as little, and less of
// the last ones. On a grid that is taller than wide, its panels go down the columns in many pieces. Between
// two ranks of a column there is little to hide of few panels.
bool gains_by_factorising(Uplo triangle, Int order, Int block, const ProcessGrid& grid) {
  const int along = triangle == Uplo::lower ? grid.rows : grid.cols, across = grid.rows * grid.cols / along;
  constexpr Int least_panels = 12;
  if (along == 1 || !few_large_blocks(order, block)) return false;
  return across == 1 ? order / block >= least_panels : along <= across;
}

// In a row of ranks ScaLAPACK estimates words wrongly and moves several times as many; in a column of two it is as
// fast. Where rows and columns both are dealt, it is slower on many ranks, and with a transposed triangle, unless
// moving that is most of the work.
bool gains_by_solving(bool as_stored, Int order, Int others, Int block, const ProcessGrid& grid) {
  constexpr double least_products = 1 << 28, least_transposed = 1 << 27;  // of a rank
  constexpr int many_ranks = 8;
  if (!few_large_blocks(order, block)) return false;
  if (grid.rows == 1) return as_stored;
  if (grid.cols == 1) return as_stored && grid.rows > 2;
  const int ranks = grid.rows * grid.cols;
  const double products = products_of_solve(order, others, ranks);
  return as_stored ? ranks >= many_ranks && products >= least_products
                   : 2 * others >= order && products >= least_transposed;
}

// As measured: 0.3 ms a panel on 2 ranks, 0.45 ms on 4. A tenth of the time is saved.
double products_for_panels(Int panels, Int ranks) {
  constexpr double seconds_of_panel = 0.1e-3, saved = 0.1, products_per_second = 10e9;
  return seconds_of_panel * real(panels) * real(ranks + 1) * products_per_second / saved;
}

}  // namespace cairn::scalapack
