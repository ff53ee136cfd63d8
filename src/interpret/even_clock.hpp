// The clock of very many ranks that do the same in all lines: with less care (docs/clock.md), and without going again
// through rounds in which the same happens as in earlier ones.
#pragma once
#include <optional>

#include "interpret/cells.hpp"
#include "interpret/clock.hpp"
#include "interpret/sizes.hpp"

namespace cairn {

/// Nothing if the schedule is not even. Every cell is one rank.
std::optional<Timing> clock_evenly(const Schedule& schedule, const Machine& machine, ScalarType type,
                                   const Cells& cells, Sizes& sizes);

}  // namespace cairn
