// The schedule's contract, proved before anything runs.
#pragma once
#include "schedule/schedule.hpp"

namespace cairn {

/// Throws ScheduleError, naming the step, unless on every rank: every step reads only what was written before it; what
/// it sends is what its receiver expects; operands of every multiplication conform; every view lies in its storage; the
/// multiplications cover the m × n × k cuboid, each element of C being written by k products in all; and the outputs
/// together hold C. Cost: ranks × steps × pieces.
void check(const Schedule& schedule);

}  // namespace cairn
