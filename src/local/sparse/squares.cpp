#include "local/sparse/squares.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/scalars.hpp"

namespace cairn {

namespace {

template <class T, class Square>
double square_of(T x, Square square) {
  if constexpr (std::is_floating_point_v<T>)
    return square(static_cast<double>(x));
  else
    return square(static_cast<double>(x.real())) + square(static_cast<double>(x.imag()));
}

// Four sums, which do not wait for each other.
template <class T, class Square>
double sum_of(const T* values, Int size, Square square) {
  std::array<double, 4> sums{};
  Int i = 0;
  for (; i + 4 <= size; i += 4)
    for (std::size_t s = 0; s < 4; ++s) sums[s] += square_of(values[i + static_cast<Int>(s)], square);
  for (; i < size; ++i) sums[0] += square_of(values[i], square);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

template <class T>
double sum_of_squares(const T* values, Int size, double scale) {
  if (scale == 1) return sum_of(values, size, [](double x) { return x * x; });
  return sum_of(values, size, [scale](double x) { return (scale * x) * (scale * x); });
}

// What has vanished of 2^40 squares is less than 1e-15 of a sum that is as large.
bool squares_are_safe(double sum) { return !(sum < 1e-280 || sum > std::numeric_limits<double>::max()); }

double scale_of_squares(double largest) {
  return largest > 0 ? std::ldexp(1, std::clamp(-std::ilogb(largest), -1022, 1022)) : 1;
}

template <class T>
double largest_finite(const T* values, Int size) {
  double most = 0;
  for (Int i = 0; i < size; ++i)
    most = std::max({most, finite_size(std::real(values[i])), finite_size(std::imag(values[i]))});
  return most;
}

template <class T>
double frobenius_norm(const T* values, Int size) {
  const double sum = sum_of_squares(values, size);
  if (squares_are_safe(sum)) return std::sqrt(sum);
  const double scale = scale_of_squares(largest_finite(values, size));
  return std::sqrt(sum_of_squares(values, size, scale)) / scale;
}

#define CAIRN_INSTANTIATE(T)                             \
  template double sum_of_squares(const T*, Int, double); \
  template double largest_finite(const T*, Int);         \
  template double frobenius_norm(const T*, Int);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
