// Small arithmetic that several layers need.
#pragma once
#include <cmath>

#include "cairn/types.hpp"

namespace cairn {

/// Of a matrix: sums of a few such numbers are exact in 64 bits.
constexpr double most_words = 0x1p60;

inline double real(Int x) { return static_cast<double>(x); }

/// ⌈a/b⌉ of a ≥ 0 and b ≥ 1; never overflows.
inline Int ceil_div(Int a, Int b) { return a / b + (a % b > 0 ? 1 : 0); }

/// value/base, 1 where both are 0.
inline double ratio(double value, double base) { return base > 0 ? value / base : value > 0 ? HUGE_VAL : 1; }

}  // namespace cairn
