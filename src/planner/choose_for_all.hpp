// How collectives that follow one another are carried out: all broadcasts alike, or all reductions, where that is
// faster.
//
// CollectiveChooser takes the way by which one collective ends soonest. In a factorisation the next panel sets out
// before the last rank has this one, and what counts is for how long each of them keeps every rank:
// docs/decisions/0053.
#pragma once
#include <optional>

#include "model/machine.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

/// The way by which a schedule is the fastest if all its broadcasts, or all its reductions, go that way; none if they
/// are better chosen each for itself, as they are in `schedule`. Found by the clock, of a long schedule for a stretch
/// in the middle.
std::optional<How> fastest_for_all(Collective of, const Machine& machine, ScalarType type, const Schedule& schedule);

Schedule all_by(Collective of, How how, Schedule schedule);

}  // namespace cairn
