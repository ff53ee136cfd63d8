// What of a schedule's values arrives together.
#pragma once
#include <vector>

#include "schedule/schedule.hpp"

namespace cairn {

/// By slot, one of those that are waited for as one: of a storage, or of some of its views that meet no others.
std::vector<Slot> arrive_together(const Schedule& s);

}  // namespace cairn
