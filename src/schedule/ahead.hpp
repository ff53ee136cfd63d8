// Which messages bring panels of later rounds, and which of them may leave before others.
#pragma once
#include <vector>

#include "schedule/schedule.hpp"

namespace cairn {

/// By step of an expanded schedule: how many products of other rounds come between a panel that it moves and the
/// product that reads it, or the broadcast that passes it on to others before; 0 for all that look-ahead did not move,
/// for what is only broadcast again, not multiplied, and for what nobody passes on, as in Cannon's algorithm and in
/// direct exchanges. Nobody is in a hurry for such a panel: while a rank waits for it to pass it on, messages of later
/// steps may go first. Without look-ahead there is none, and messages keep the order of their algorithm.
std::vector<int> ahead(const Schedule& schedule);

/// By step of an expanded schedule: for a direct gather before a product that does not read what it brings, the number
/// of that product; else 0. Everybody sends to everybody, and whatever else is on its way gets the smallest share of
/// the ports. So such a gather leaves once all that the product waits for is there: decision 67.
std::vector<std::size_t> leaves_with(const Schedule& schedule);

}  // namespace cairn
