// The clock with nothing left out that the executor does: every rank's own program, message by message, in the order of
// time. docs/clock.md says what it assumes of networks.
#pragma once
#include "interpret/clock.hpp"

namespace cairn {

/// As clock_all(), for two-sided messages. Takes time and memory for every rank, step and message.
Timing replay(const Schedule& wire, const Machine& machine, ScalarType type, const Watch& watch = {});

}  // namespace cairn
