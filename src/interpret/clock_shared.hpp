// Seconds that a schedule takes where the ranks of a node share memory.
#pragma once
#include "interpret/clock.hpp"

namespace cairn {

/// `collective` is the schedule as the algorithm wrote it, `node_of` the node of every rank, numbered from 0; the
/// machine says what sharing costs (Machine::shared; nothing if it does not). Ranks are followed one by one, in
/// matrices of the caller's own memory: what others are to read of them is copied once. docs/clock.md says how.
Times clock_shared(const Schedule& collective, const std::vector<int>& node_of, const Machine& machine,
                   ScalarType type);

}  // namespace cairn
