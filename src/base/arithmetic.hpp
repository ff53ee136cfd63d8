// Small arithmetic that several layers need.
#pragma once
#include <cmath>

#include "cairn/types.hpp"

namespace cairn {

inline double real(Int x) { return static_cast<double>(x); }

/// ⌈a/b⌉ of a ≥ 0 and b ≥ 1; never overflows.
inline Int ceil_div(Int a, Int b) { return a / b + (a % b > 0 ? 1 : 0); }

/// value/base, 1 where both are 0.
inline double ratio(double value, double base) { return base > 0 ? value / base : value > 0 ? HUGE_VAL : 1; }

}  // namespace cairn
