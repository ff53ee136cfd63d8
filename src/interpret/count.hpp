// Words, messages, flops and memory of a schedule, exactly, before anything runs.
#pragma once
#include <array>

#include "cairn/plan.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

/// What one rank receives, computes and holds. `collective` is the schedule as the algorithm wrote it (received);
/// `wire` the same after expand_collectives (wire words, messages, peak).
Count count(const Schedule& collective, const Schedule& wire, Int rank);

/// Over all ranks, idle ones included in the means.
struct Totals {
  Count max;
  double mean_received = 0, mean_wire_words = 0, mean_messages = 0, total_flops = 0;
};
Totals count_all(const Schedule& collective, const Schedule& wire);

}  // namespace cairn
