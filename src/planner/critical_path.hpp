// What the time of a simulated run was spent on, one thing after the other.
#pragma once
#include <vector>

#include "cairn/simulate.hpp"
#include "interpret/clock.hpp"

namespace cairn {

/// Backwards from the end of the rank that was done last: a rank that waited went on when a message arrived, and that
/// set off when the later of its two ends was there: the receiver, if the sender was waiting for others then. `all` is
/// what every rank did.
Simulation::Path critical_path(const std::vector<Activity>& all, const Times& last);

}  // namespace cairn
