// The order of places along a space-filling curve, on which neighbours are near each other in space.
#pragma once
#include <array>
#include <cstdint>

namespace cairn {

/// How far along Hilbert's curve through a cube of 2^bits cells a side a cell comes, for bits up to 21. [skilling-2004]
std::uint64_t hilbert_number(std::array<std::uint32_t, 3> cell, int bits);

}  // namespace cairn
