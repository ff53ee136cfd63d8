// Figures of a plan that its page shows.
#pragma once
#include <string>

#include "cairn/types.hpp"

namespace cairn {

/// The best way of an algorithm that was not chosen.
struct RunnerUp {
  std::string algorithm;  ///< one-line spelling; the name alone if nothing fits
  double seconds = 0;
  double received = 0, messages = 0;  ///< of the rank with the most
  bool exact = false;  ///< clocked and counted, of many ranks those at corners; otherwise lower bounds in closed form
  std::string why;     ///< why it was not chosen
  bool sketched = false;  ///< figures are those of sketches, which know no messages
};

/// Words that the rank with the most holds when it holds the most, by what they are.
struct MemoryParts {
  Int rank = 0;
  Int own_a = 0, own_b = 0, own_c = 0;  ///< in the caller's layouts, or the plan's own
  Int copies = 0;                       ///< redistributed A, B, C
  Int panels = 0;                       ///< gathered panels of A and B
  Int partial = 0;                      ///< partial sums of C
  Int buffers = 0;                      ///< of steps: what a reduction or a redistribution has in flight
  Int shared = 0;                       ///< node-shared: its share of its node's memory, instead of all parts before
  Int window = 0;                       ///< one-sided: copies of blocks that others fetch, and places where others add
  Int gaps = 0;                         ///< of the arena, between values
};

/// Words that come from other nodes: the most of any rank, and the mean.
struct NodeWords {
  Int max = 0;
  double mean = 0;
};

}  // namespace cairn
