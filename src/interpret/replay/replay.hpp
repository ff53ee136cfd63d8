// The clock with nothing left out that the executor does: every rank's own program, message by message, in the order of
// time. docs/clock.md says what it assumes of networks.
#pragma once
#include "interpret/clock.hpp"
#include "program/program.hpp"

namespace cairn {

/// As clock_all(), for two-sided messages. Takes time and memory for every rank, step and message.
Timing replay(const Schedule& wire, const Machine& machine, ScalarType type, const Watch& watch = {});
/// The same of the programs of all ranks, compiled from the schedule for any transport but one-sided.
Timing replay(const Schedule& schedule, const std::vector<Program>& programs, const Machine& machine, ScalarType type,
              const Watch& watch = {});

}  // namespace cairn
