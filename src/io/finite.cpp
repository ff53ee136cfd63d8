#include "io/finite.hpp"

#include <cstring>

#include "base/scalars.hpp"

namespace cairn::io {

namespace {

/// Looks at the bits, so that no compiler flag about finite mathematics can remove the test. Blocks
/// without an early exit let the compiler use vector instructions; the block at fault is searched.
template <class Bits, Bits exponent>
Int first_with_full_exponent(const char* data, Int count) {
  constexpr Int block = 1024;
  const auto nonfinite = [data](Int i) {
    Bits bits;
    std::memcpy(&bits, data + i * static_cast<Int>(sizeof(Bits)), sizeof(Bits));
    return (bits & exponent) == exponent;
  };
  for (Int lo = 0; lo < count; lo += block) {
    const Int hi = std::min(count, lo + block);
    bool any = false;
    for (Int i = lo; i < hi; ++i) any |= nonfinite(i);
    if (!any) continue;
    for (Int i = lo; i < hi; ++i)
      if (nonfinite(i)) return i;
  }
  return -1;
}

}  // namespace

Int first_nonfinite(const void* data, ScalarType type, Int count) {
  const Int parts = is_complex(type) ? 2 : 1;
  const char* const bytes = static_cast<const char*>(data);
  const Int found = is_single(type)
                        ? first_with_full_exponent<std::uint32_t, 0x7f800000U>(bytes, parts * count)
                        : first_with_full_exponent<std::uint64_t, 0x7ff0000000000000U>(bytes, parts * count);
  return found < 0 ? -1 : found / parts;
}

}  // namespace cairn::io
