// Brings elements into cache before they are used.
#pragma once
#include "cairn/types.hpp"

namespace cairn {

/// Has a block brought into cache while another one is multiplied: the processor itself does not see what comes next.
/// Not inlined it would be left out, because the compiler sees no effect.
template <class T>
[[gnu::always_inline]] inline void fetch(const T* block, Int size) {
  constexpr Int line = 64 / static_cast<Int>(sizeof(T));
  for (Int i = 0; i < size; i += line) __builtin_prefetch(block + i);
}

}  // namespace cairn
