#include "scalapack/worth.hpp"

#include <algorithm>

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

bool one_panel(const Dealt& k_of_a, const Dealt& k_of_b, Int k) {
  const auto whole = [k](const Dealt& x) { return x.everywhere() || k <= x.first; };
  return whole(k_of_a) && whole(k_of_b);
}

bool worth_moving(Int m, Int n, Int ranks) {
  constexpr double least_elements = 1 << 16;
  return ranks > 1 && real(m) * real(n) >= least_elements;
}

}  // namespace cairn::scalapack
