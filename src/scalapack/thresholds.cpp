#include "scalapack/thresholds.hpp"

#include <algorithm>
#include <cmath>

#include "base/arithmetic.hpp"

namespace cairn::scalapack {

bool worth_it(Int m, Int n, Int k, Int ranks) {
  constexpr Int least_size = 64, thin = 128;
  const Int smallest = std::min({m, n, k});
  // Multiply-adds of a rank, from bench/scalapack: with blocks as wide as a thin product its dimension lies on few
  // ranks, ScaLAPACK moves next to nothing, and there is little to gain but more to agree on.
  const double least_products = smallest <= thin ? 1 << 24 : 1 << 23;
  return ranks > 1 && smallest >= least_size && real(m) * real(n) * real(k) / real(ranks) >= least_products;
}

namespace {

// A rank saves about an eighth of its time, in which it would do so many multiply-adds.
double worth_of(double seconds) {
  constexpr double saved = 0.125, products_per_second = 40e9;
  return seconds * products_per_second / saved;
}

}  // namespace

// As measured: a search takes 1.8 ms on 4 ranks and 28 ms on 64; a plan alike takes less than a tenth of that, but
// where ranks share cores it makes them wait for each other.
double products_for_a_search(Int ranks) { return worth_of(0.25e-3 * std::pow(real(ranks), 4.0 / 3)); }
double products_for_a_plan(Int ranks) { return worth_of(0.2e-3 * real(ranks)); }

bool one_panel(const Dealt& k_of_a, const Dealt& k_of_b, Int k) {
  const auto whole = [k](const Dealt& x) { return x.everywhere() || k <= x.first; };
  return whole(k_of_a) && whole(k_of_b);
}

bool worth_moving(Int m, Int n, Int ranks) {
  constexpr double least_elements = 1 << 16;
  return ranks > 1 && real(m) * real(n) >= least_elements;
}

}  // namespace cairn::scalapack
