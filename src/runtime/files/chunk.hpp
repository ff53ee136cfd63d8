// How much of a file, or of rows that a user gives, a rank holds at a time.
#pragma once
#include <algorithm>

#include "cairn/types.hpp"

namespace cairn {

/// Of the bytes asked for, what MPI, whose counts have 32 bits, takes in one piece.
inline Int chunk_of(Int bytes) { return std::clamp<Int>(bytes, 1, Int{1} << 30); }
/// The same in words.
inline Int words_of_chunk(Int bytes, Int word_bytes) { return std::max<Int>(1, chunk_of(bytes) / word_bytes); }

}  // namespace cairn
