// What transports need beside the slots of a schedule: places of blocks that do not travel from or to where they lie.
// Of a one-sided transport only contiguous blocks of the window itself travel (docs/decisions/0013-one-sided.md), and
// others add at places of their own; messages bring triangles packed
// (docs/decisions/0055-messages-that-need-no-sender.md).
#pragma once
#include "schedule/exchanges.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

/// The messages of a step, and where in the step's own buffer those are copied that do not travel from or to their
/// place: triangles, and one-sided blocks of the caller's memory and blocks with gaps.
struct CopiedParcels {
  Parcels all;
  std::vector<Int> sent, received;  ///< words from the start of the buffer; -1: not copied there
  Int words = 0;                    ///< size of the buffer
};
CopiedParcels copied_parcels(const Schedule& schedule, const Effect& effect, Int rank, Transport transport);

/// Adds to the arena what others use during the whole run: blocks of inputs that this rank sends, each once however
/// many ranks and steps want it, and a place for each of its pieces of sums.
void place_window(const Schedule& schedule, const std::vector<Effect>& effects, Int rank, Placement& placement);

}  // namespace cairn
