// What COSMA on a pm × pn × pk grid receives, holds and takes, in closed form, exactly as count finds it.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "algorithms/cosma.hpp"
#include "cairn/problem.hpp"
#include "model/machine.hpp"

namespace cairn {

/// One way to run COSMA: "cosma pm,pn,pk,sk", or sm or sn in place of sk, and a look-ahead.
struct CosmaWay {
  Int pm = 1, pn = 1, pk = 1;
  Int pk2 = 1;  ///< a divisor of pk: so many of the ranks along k are an axis of their own, and share C as the second
  Int rounds = 1;
  char loop = 'k';  ///< the dimension that the rounds cut
  int look_ahead = 0;
  std::array<char, 3> order{'m', 'n', 'k'};  ///< of the grid's axes: ranks along the last are neighbours

  Int ranks() const { return pm * pn * pk; }
  std::array<Int, 3> grid() const { return {pm, pn, pk}; }
  std::vector<CosmaCut> cuts() const;
};

/// On which grids k is cut twice, and a block of C shared along one axis after the other: where it has fewer rows and
/// fewer columns than ranks share it, so that one axis cuts rows and the other columns; or on all, since cutting the
/// same dimension twice may come out more even.
enum class BothWays : std::uint8_t { where_needed, everywhere };
/// The same with k cut twice: every pk2.
std::vector<CosmaWay> both_ways(const Dims& d, const CosmaWay& way, BothWays which = BothWays::where_needed);

/// Words that the rank with the most holds at once: its own parts of A, B and C; gathered panels of A and B, and all of
/// A (of B) where rounds cut n (m); partial sums of C; and pieces of C in flight, as far as they do not fit where the
/// panels were.
Int cosma_memory(const Dims& d, const CosmaWay& way);

/// Words of A, B and C that each of those few ranks receives among which is the one that receives most.
struct CosmaReceived {
  struct Words {
    Int a = 0, b = 0, c = 0;
    Int all() const { return a + b + c; }
  };
  std::array<Words, 4> ranks;
  /// Largest number of words that a rank receives.
  Int most() const;
};
CosmaReceived cosma_received(const Dims& d, const CosmaWay& way);

/// Rounds that cut a rank's part of the dimension into single indices.
Int most_rounds(const Dims& d, const CosmaWay& way);
/// The largest number of rounds of k that are shared each by itself, 0 if not even one is.
Int most_thick_rounds(const Dims& d, const CosmaWay& way);

/// The smallest number of rounds with which no rank holds more than `limit` words, if any number will do, from 2 on
/// where they cut m or n, and from `from` on; the grid, the loop and the look-ahead are those of `way`.  [cosma-sc19
/// Algorithm 1, lines 6-7]
std::optional<Int> fewest_rounds(const Dims& d, const CosmaWay& way, Int limit, Int from = 1);
/// A cheap lower bound of fewest_rounds.
std::optional<Int> rounds_at_least(const Dims& d, const CosmaWay& way, Int limit);
/// A cheap lower bound of least_memory.
Int memory_at_least(const Dims& d, const CosmaWay& way);
/// Words of memory below which no number of rounds fits.
Int least_memory(const Dims& d, const CosmaWay& way);

/// One candidate with what decides between candidates.
struct CosmaCandidate {
  CosmaWay way;
  Int received = 0;    ///< largest over ranks
  double seconds = 0;  ///< by a CosmaClock, or by the clock itself; with redistributions where these are compared
};

/// Seconds as the clock has them where all pieces are even.
class CosmaClock {
 public:
  CosmaClock(const Dims& d, const Machine& machine, ScalarType type);

  /// Seconds on the machine; `received` is cosma_received of the way.
  double seconds(const CosmaWay& way, const CosmaReceived& received) const;
  CosmaCandidate candidate(const CosmaWay& way) const;

  /// What is true of every grid of a box.
  struct Least {
    double received = 0;      ///< words that some rank receives
    double messages = 0;      ///< of panels, that it receives
    Int summed = 1;           ///< ranks whose parts of C are added up
    bool in_two = false;      ///< by two sums, one after the other, if that is faster
    Int M = 0, N = 0, K = 0;  ///< sizes of the largest local product
    double products = 0;      ///< of two elements, in the largest local product
    int steps = 0;            ///< but for sums
  };
  /// Seconds without overlap, on a machine of one level, that no grid undercuts of which `least` is true.
  double at_least(const Least& least) const;

 private:
  // An exchange along an axis, mixed from the levels that it spans: latency of the farthest, seconds for which a
  // message and a word keep a port, and those for which a message keeps the core.
  struct Links {
    double latency = 0, per_message = 0, per_word = 0, overhead = 0;
  };
  Links links(const CosmaWay& way, char dim) const;
  /// Messages of a sum that is shared among so many ranks, beside the way of its words.
  double summing(Int ranks, double words, const Links& links) const;

  Dims d_;
  const Machine& machine_;
  ScalarType type_;
};

}  // namespace cairn
