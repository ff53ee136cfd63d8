// How many words and messages a change of layout moves, rank by rank, without listing which.
#pragma once
#include "schedule/schedule.hpp"
#include "schedule/transfers.hpp"

namespace cairn {

/// What incoming(), outgoing() and transfer() of one rank add up to.
struct Moved {
  Int received = 0, receives = 0;  ///< words from other ranks, and how many messages bring them
  Int sent = 0, sends = 0;
  Int kept = 0;  ///< words that the rank holds already
};

/// Those of `rank`. Up to 128 ranks the figures of all are found together and remembered, by each thread, for the pairs
/// of layouts asked for last; otherwise each rank's are found alone.
Moved moved(const Layout& src, const Layout& dst, Int ranks, Int rank);
/// Those of all ranks.
std::vector<Moved> all_moved(const Layout& src, const Layout& dst, Int ranks);
/// Single figures of it, which take less where ranks are looked at alone.
Int words_received(const Layout& src, const Layout& dst, Int ranks, Int rank);
Int words_sent(const Layout& src, const Layout& dst, Int ranks, Int rank);
Int messages_received(const Layout& src, const Layout& dst, Int ranks, Int rank);

/// The same of a step, whose values may have fewer words than elements (schedule/size_provider.hpp).
Int words_of(const Schedule& schedule, const Redistribute& step, const Transfer& transfer);
Int words_received(const Schedule& schedule, const Redistribute& step, Int rank);
Int words_sent(const Schedule& schedule, const Redistribute& step, Int rank);
Int messages_received(const Schedule& schedule, const Redistribute& step, Int rank);
std::vector<Moved> all_moved(const Schedule& schedule, const Redistribute& step);

}  // namespace cairn
