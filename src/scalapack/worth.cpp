#include "scalapack/worth.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"

namespace cairn::scalapack {

bool worth_it(Int m, Int n, Int k, Int ranks) {
  constexpr double least_products = 1 << 23;  // multiply-adds of a rank: 256³ on two ranks
  constexpr Int least_size = 64;
  return ranks > 1 && std::min({m, n, k}) >= least_size && real(m) * real(n) * real(k) / real(ranks) >= least_products;
}

bool worth_moving(Int m, Int n, Int ranks) {
  constexpr double least_elements = 1 << 16;
  return ranks > 1 && real(m) * real(n) >= least_elements;
}

}  // namespace cairn::scalapack
