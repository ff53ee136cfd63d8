// Arguments of a call as numbers in a notice: two calls seldom have the same.
#pragma once
#include <complex>
#include <cstdint>

namespace cairn::scalapack {

/// Where a submatrix begins, and its descriptor, of type 1 unless it says 2, but for the context's handle and the
/// leading dimension, which are a rank's own.
std::uint32_t fingerprint(const int* i, const int* j, const int* desc);
std::uint32_t fingerprint(float x);
std::uint32_t fingerprint(double x);
std::uint32_t fingerprint(std::complex<float> x);
std::uint32_t fingerprint(std::complex<double> x);

inline std::uint32_t letter(const char* x) { return static_cast<std::uint32_t>(static_cast<unsigned char>(*x) & 0xDF); }
inline std::uint32_t number(const int* x) { return static_cast<std::uint32_t>(*x); }

}  // namespace cairn::scalapack
