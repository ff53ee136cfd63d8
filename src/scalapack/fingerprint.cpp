#include "scalapack/fingerprint.hpp"

#include <bit>
#include <initializer_list>

#include "scalapack/descriptor.hpp"

namespace cairn::scalapack {

namespace {

// Sums of products with odd numbers, of which the upper half counts: two calls seldom have the same, and no product
// waits for another.
std::uint32_t fingerprint(std::initializer_list<std::uint64_t> words) {
  constexpr std::uint64_t factors[] = {0x9E3779B97F4A7C15, 0xD1B54A32D192ED03, 0xC2B2AE3D27D4EB4F,
                                       0xA0761D6478BD642F, 0xE7037ED1A0B428DB, 0x8EBC6AF09C88C6E3};
  std::uint64_t sum = 0;
  const std::uint64_t* factor = factors;
  for (std::uint64_t x : words) sum += x * *factor++;
  return static_cast<std::uint32_t>(sum >> 32);
}

std::uint64_t pair(const int* x) { return static_cast<std::uint32_t>(x[0]) | std::uint64_t(x[1]) << 32; }

}  // namespace

std::uint32_t fingerprint(const int* i, const int* j, const int* desc) {
  const int place[2] = {*i, *j};
  if (desc[0] != Descriptor::type_2) return fingerprint({pair(place), pair(desc + 2), pair(desc + 4), pair(desc + 6)});
  return fingerprint({pair(place), pair(desc + 2), pair(desc + 4), pair(desc + 6), pair(desc + 8), 2});
}

std::uint32_t fingerprint(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint32_t fingerprint(double x) { return fingerprint({std::bit_cast<std::uint64_t>(x)}); }
std::uint32_t fingerprint(std::complex<float> x) { return fingerprint({fingerprint(x.real()), fingerprint(x.imag())}); }
std::uint32_t fingerprint(std::complex<double> x) {
  return fingerprint({fingerprint(x.real()), fingerprint(x.imag())});
}

}  // namespace cairn::scalapack
