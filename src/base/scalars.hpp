// The element types that templates are instantiated for, named, and told apart, in one place; their multiples and
// conjugates.
#pragma once
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>
#include <variant>

#include "cairn/types.hpp"

/// INSTANTIATE(T) for every element type.
#define CAIRN_FOR_EACH_SCALAR(INSTANTIATE) \
  INSTANTIATE(float)                       \
  INSTANTIATE(double)                      \
  INSTANTIATE(std::complex<float>)         \
  INSTANTIATE(std::complex<double>)

namespace cairn {

/// What sums of elements are computed in: double, or complex<double>.
template <class T>
using Wide = std::conditional_t<std::is_floating_point_v<T>, double, std::complex<double>>;

/// What is known of the floating-point numbers that elements are, or that are their parts.
template <class T>
using LimitsOf = std::numeric_limits<decltype(std::abs(T()))>;

/// One of the four instances.
template <template <class> class Of>
using OfAnyType = std::variant<Of<float>, Of<double>, Of<std::complex<float>>, Of<std::complex<double>>>;

inline constexpr std::array scalar_types{ScalarType::float32, ScalarType::float64, ScalarType::complex64,
                                         ScalarType::complex128};

/// f(T()) for the element type.
template <class F>
auto with_type(ScalarType type, F f) {
  switch (type) {
    case ScalarType::float32: return f(float());  // NOLINT(bugprone-branch-clone): f may do the same for two of them
    case ScalarType::float64: return f(double());
    case ScalarType::complex64: return f(std::complex<float>());
    default: return f(std::complex<double>());
  }
}

inline bool is_complex(ScalarType t) { return t == ScalarType::complex64 || t == ScalarType::complex128; }
inline bool is_single(ScalarType t) { return t == ScalarType::float32 || t == ScalarType::complex64; }
/// Real operations of a product of two elements, and of its addition to another.
inline double operations(ScalarType type) { return is_complex(type) ? 8 : 2; }

/// factor·x, and 0 with the factor 0, whatever x is.
template <class T>
T scaled(T factor, T x) {
  return factor == T(0) ? T(0) : factor * x;
}

/// x as an element: of a real type, its real part.
template <class T>
T element_of(std::complex<double> x) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(x.real());
  else
    return T(x);
}

/// The complex conjugate, which a real number is of itself.
template <class T>
T conjugated(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return x;
  else
    return std::conj(x);
}

/// The element at (j, i) of a matrix that has x at (i, j).
template <class T>
T mirrored(Symmetry symmetry, T x) {
  switch (symmetry) {
    case Symmetry::antisymmetric: return -x;
    case Symmetry::hermitian: return conjugated(x);
    default: return x;
  }
}

}  // namespace cairn
