// The best grid for COSMA among every pm·pn·pk ≤ p, by branch and bound.
#pragma once
#include "planner/cosma_cost.hpp"

namespace cairn {

/// What makes a plan the best: see Options::prefer.
enum class Prefer { time, balanced, words };

struct CosmaSearch {
  Dims dims;
  Int ranks = 1;
  ScalarType type = ScalarType::float64;
  std::optional<Int> memory_words;
  Int fewest = 1;           ///< ranks at least
  bool keeps_busy = false;  ///< even where there is no work for them
  int look_ahead = 0;
  bool overlaps = true;  ///< more look-ahead than that may be chosen
  Prefer prefers = Prefer::time;
};

struct CosmaFound {
  std::vector<CosmaCandidate> best;  ///< as many as were wanted, best first; empty if nothing fits into the memory
  CosmaCandidate fastest;            ///< where words decide, the best: no other is looked for
};

/// The fastest grids; those that receive the fewest words, if these are preferred; or, balanced, the fewest among all
/// that are as fast as the fastest, as far as the machine's precision tells; then the faster, then those of fewer
/// ranks. The clock runs without overlap, and as if all links were those between ranks farthest apart. Each has the
/// fewest rounds that fit.  [cosma-sc19 Algorithm 1 line 3, §7.1]
CosmaFound search_cosma(const CosmaSearch& search, const Machine& machine, std::size_t wanted = 1);

/// The same grids with their axes in order, and with the rounds and the look-ahead that suit them; seconds are those of
/// the machine's levels, with overlap, and decide among them where time is preferred, and elsewhere between equals.
CosmaFound find_cosma(const CosmaSearch& search, const Machine& machine, std::size_t wanted = 1);
CosmaWay finish_cosma(const CosmaSearch& search, const Machine& machine, const CosmaWay& way);

/// The fewest words a rank with which search_cosma finds something, and the way that needs them.
struct LeastMemory {
  Int words = 0;
  CosmaWay way;
};
LeastMemory least_memory_cosma(const CosmaSearch& search);

/// The same grid in the order of axes that makes the most of near ranks.
CosmaWay order_cosma(const CosmaSearch& search, const Machine& machine, CosmaWay way);

/// Rounds at least as thick as so many, and so thick that ranks which share a panel, or terms of C, have equal parts of
/// each: of uneven thin rounds the closed form promises too much.
Int even_rounds(const Dims& dims, const CosmaWay& way, Int rounds);
/// The same grid as it is and, where that may overlap, with every number of rounds and the look-ahead worth a look;
/// seconds are those of the machine's levels.  [cosma-sc19 §7.3, "Number of rounds"]
std::vector<CosmaCandidate> overlaps(const CosmaSearch& search, const Machine& machine, const CosmaWay& way);

}  // namespace cairn
