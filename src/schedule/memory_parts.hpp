// What the words that a rank holds are.
#pragma once
#include "cairn/types.hpp"

namespace cairn {

/// Words that a rank holds when it holds the most, by what they are.
struct MemoryParts {
  Int rank = 0;
  Int own_a = 0, own_b = 0, own_c = 0;  ///< in the caller's layouts, or the plan's own
  Int copies = 0;   ///< redistributed A, B, C; of block-sparse ones A and B, in the order in which panels are sent
  Int panels = 0;   ///< of A and B, gathered from other ranks
  Int partial = 0;  ///< partial sums of C
  Int buffers = 0;  ///< of steps: what a reduction or a redistribution has in flight, packed triangles
  Int shared = 0;   ///< node-shared: its share of its node's memory, instead of the four parts before
  Int window = 0;   ///< one-sided: copies of blocks that others fetch, and places where others add
  Int gaps = 0;     ///< of the arena, between values
  Int own() const { return own_a + own_b + own_c; }
  Int peak() const { return own() + copies + panels + partial + buffers + shared + window + gaps; }
};

}  // namespace cairn
