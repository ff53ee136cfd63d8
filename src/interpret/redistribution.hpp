// What a redistribution takes, as all clocks see it.
#pragma once
#include "model/machine.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

/// Seconds for one rank to get what it does not have, all messages at the rate of the outermost level that they cross.
double redistribution_seconds(const Schedule& s, const Redistribute& x, Int rank, const Machine& machine,
                              ScalarType type);

/// The same for the rank with the most; on very many ranks, of those looked at.
double redistribution_seconds(const Schedule& s, const Redistribute& x, const Machine& machine, ScalarType type);

}  // namespace cairn
