// Small arithmetic that several layers need.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "cairn/types.hpp"

namespace cairn {

/// Of a matrix: sums of a few such numbers are exact in 64 bits.
constexpr double most_words = 0x1p60;

inline double real(Int x) { return static_cast<double>(x); }

/// Checked narrowing for the int arguments of MPI, BLAS and LAPACK; RuntimeError, which names it, if it does not fit.
int to_int(Int value, const char* what);

/// A number that is not negative, as an index into a vector or its size.
constexpr std::size_t place(Int i) { return static_cast<std::size_t>(i); }

/// Of sizes of blocks.
inline Int total(const std::vector<std::int32_t>& sizes) { return std::accumulate(sizes.begin(), sizes.end(), Int{0}); }
/// Where each of the blocks begins, and where the last one ends.
inline std::vector<Int> bounds_of(const std::vector<std::int32_t>& sizes) {
  std::vector<Int> bounds{0};
  bounds.reserve(sizes.size() + 1);
  for (std::int32_t size : sizes) bounds.push_back(bounds.back() + size);
  return bounds;
}

/// Numbers that differ become numbers that look random, by the finaliser of SplitMix64 [Steele, Lea, Flood 2014].
constexpr std::uint64_t mixed_bits(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// Of numbers that are not negative; the largest number where the result does not fit.
inline Int saturated_product(Int a, Int b) {
  Int product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<Int>::max() : product;
}
inline Int saturated_sum(Int a, Int b) {
  Int sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<Int>::max() : sum;
}

/// ⌈a/b⌉ of a ≥ 0 and b ≥ 1; never overflows.
constexpr Int ceil_div(Int a, Int b) { return a / b + (a % b > 0 ? 1 : 0); }

/// value/base, 1 where both are 0.
inline double ratio(double value, double base) { return base > 0 ? value / base : value > 0 ? HUGE_VAL : 1; }

}  // namespace cairn
