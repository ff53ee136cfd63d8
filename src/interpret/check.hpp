// The schedule's contract, proved before anything runs.
#pragma once
#include "schedule/schedule.hpp"

namespace cairn {

/// Throws ScheduleError, naming the step, unless on every rank: every step reads only what was written before it; what
/// it sends is what its receiver expects; operands of every kernel conform; every view lies in its storage; every
/// element of the result becomes what the problem asks for: of a product, beta·C and each of its k terms once; of a
/// factorisation, an element that is divided or whose root is taken after all earlier columns were subtracted from it,
/// once each, with columns that are finished; and the outputs together hold the result. Cost: ranks × steps × pieces.
void check(const Schedule& schedule);
/// The same but for what becomes of the result: of the steps of a part of an algorithm.
void check_steps(const Schedule& schedule);

}  // namespace cairn
