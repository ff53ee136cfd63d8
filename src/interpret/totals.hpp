// What all cells together did, at the end.
#pragma once
#include "interpret/cells.hpp"
#include "interpret/clock.hpp"
#include "interpret/lanes.hpp"

namespace cairn {

Timing totals(const Lanes& lanes, const Cells& cells);

}  // namespace cairn
