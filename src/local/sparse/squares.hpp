// Frobenius's norm, also of numbers whose squares overflow or vanish.
#pragma once
#include <cmath>

#include "cairn/types.hpp"

namespace cairn {

/// Σ|scale·x|² of so many elements.
template <class T>
double sum_of_squares(const T* values, Int size, double scale = 1);

/// Whether no square that matters overflowed or vanished in such a sum; so it is if it is NaN.
bool squares_are_safe(double sum);

/// By which numbers are multiplied so that their squares neither overflow nor vanish, where the largest of them is
/// this: a power of two, by which nothing is rounded.
double scale_of_squares(double largest);

/// |x| of a number that is finite, and 0 of others.
inline double finite_size(double x) { return std::isfinite(x) ? std::abs(x) : 0; }

/// The largest component of so many elements, of those that are finite.
template <class T>
double largest_finite(const T* values, Int size);

/// √Σ|x|². Scales only where the sum of squares is not safe.
template <class T>
double frobenius_norm(const T* values, Int size);

}  // namespace cairn
