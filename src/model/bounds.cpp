#include "model/bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn {

namespace {

double product(Int m, Int n, Int k) { return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }

double product(Int m, Int n) { return static_cast<double>(m) * static_cast<double>(n); }

// 2mnk/root, 0 where there is nothing to multiply.
double streamed(double mnk, double root) { return mnk > 0 ? 2 * mnk / root : 0; }

}  // namespace

double sequential_bound(Int m, Int n, Int k, double S) {
  return streamed(product(m, n, k), std::sqrt(S)) + product(m, n);
}

double parallel_bound(Int m, Int n, Int k, Int p, double S) {
  const double share = product(m, n, k) / static_cast<double>(p);
  const double a = optimal_domain(m, n, k, p, S).a;
  return streamed(share, a) + a * a;
}

double received_bound(Int m, Int n, Int k, Int p) {
  std::array<Int, 3> d{m, n, k};
  std::sort(d.begin(), d.end(), std::greater<>());
  if (d[2] == 0) return 0;  // nothing to multiply
  const double d12 = product(d[0], d[1]), d13 = product(d[0], d[2]), d23 = product(d[1], d[2]);
  const auto ranks = static_cast<double>(p);
  const double d1 = static_cast<double>(d[0]), d2 = static_cast<double>(d[1]), d3 = static_cast<double>(d[2]);
  double needed = 3 * std::pow(d12 * d3 / ranks, 2.0 / 3);
  if (ranks <= d1 / d2)
    needed = (d12 + d13) / ranks + d23;
  else if (ranks <= d12 / (d3 * d3))
    needed = 2 * std::sqrt(d12 / ranks) * d3 + d12 / ranks;
  return std::max(0.0, needed - (d12 + d13 + d23) / ranks);
}

// The least sum of three faces: all alike, but for those whose share of the words is larger.
double received_bound(double products, std::array<double, 3> words, Int p) {
  if (products <= 0) return 0;
  const auto ranks = static_cast<double>(p);
  std::sort(words.begin(), words.end(), std::greater<>());
  double rest = std::pow(products / ranks, 2), shares = 0, needed = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const double face = std::pow(rest, 1.0 / static_cast<double>(words.size() - i)), share = words[i] / ranks;
    shares += share, needed += std::max(face, share);
    rest /= std::max(face, share);
  }
  return std::max(0.0, needed - shares);
}

LocalDomain optimal_domain(Int m, Int n, Int k, Int p, double S) {
  const double share = product(m, n, k) / static_cast<double>(p);
  const double cube = std::cbrt(share);
  return {std::min(std::sqrt(S), cube), share > 0 ? std::max(share / S, cube) : 0};
}

}  // namespace cairn
