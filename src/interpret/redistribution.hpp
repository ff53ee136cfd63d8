// What a redistribution takes, as the clock and the planner see it.
#pragma once
#include "model/machine.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

/// Seconds for all ranks to get what they do not have: those of the rank that takes longest. It packs what it sends,
/// copies what it keeps and unpacks what it receives, as fast as memory is; messages travel at the rate of the
/// outermost level that they cross. On very many ranks, of those looked at, with estimated numbers of messages.
double redistribution_seconds(const Schedule& schedule, const Redistribute& step, const Machine& machine,
                              ScalarType type);

}  // namespace cairn
