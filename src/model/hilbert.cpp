#include "model/hilbert.hpp"

namespace cairn {

// The transposed number is found in place, by undoing excess work bit by bit and Gray coding what is left.
std::uint64_t hilbert_number(std::array<std::uint32_t, 3> x, int bits) {
  if (bits == 0) return 0;
  const std::uint32_t highest = std::uint32_t{1} << (bits - 1);
  for (std::uint32_t q = highest; q > 1; q >>= 1) {
    const std::uint32_t below = q - 1;
    for (std::uint32_t& c : x) {
      if (c & q) {
        x[0] ^= below;  // inverts
      } else {          // exchanges
        const std::uint32_t t = (x[0] ^ c) & below;
        x[0] ^= t, c ^= t;
      }
    }
  }
  x[1] ^= x[0], x[2] ^= x[1];
  std::uint32_t t = 0;
  for (std::uint32_t q = highest; q > 1; q >>= 1)
    if (x[2] & q) t ^= q - 1;
  for (std::uint32_t& c : x) c ^= t;
  std::uint64_t number = 0;
  for (std::uint32_t q = highest; q > 0; q >>= 1)
    for (const std::uint32_t c : x) number = number << 1 | (c & q ? 1U : 0U);
  return number;
}

}  // namespace cairn
