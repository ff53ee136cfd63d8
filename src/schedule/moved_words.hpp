// How many words and messages a change of layout moves, rank by rank, without listing which.
#pragma once
#include "schedule/schedule.hpp"
#include "schedule/step_transfers.hpp"

namespace cairn {

/// What incoming(), outgoing() and transfer() of one rank add up to.
struct Moved {
  Int received = 0, receives = 0;  ///< words from other ranks, and how many messages bring them
  Int sent = 0, sends = 0;
  Int kept = 0;  ///< words that the rank holds already
};

/// Those of `rank`. Each thread remembers those that it found of the pairs of layouts asked for last. Up to 128 ranks
/// all are found together.
Moved moved(const Layout& src, const Layout& dst, Int ranks, Int rank, Stairs stairs = {});

/// The same of a step, whose values may have fewer words than elements (schedule/size_provider.hpp).
Moved moved(const Schedule& schedule, const Redistribute& step, Int rank);
std::vector<Moved> all_moved(const Schedule& schedule, const Redistribute& step);
Int words_of(const Schedule& schedule, const Redistribute& step, const Transfer& transfer);

}  // namespace cairn
