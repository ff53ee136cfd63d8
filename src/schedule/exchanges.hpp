// Who sends which block to whom in a step that moves blocks as they are.
#pragma once
#include <vector>

#include "schedule/schedule.hpp"

namespace cairn {

/// Elements of a slot that travel in one message.
struct Parcel {
  Slot slot;  ///< of the destination for a received one, else of the source
  Int peer;
  IndexSet rows, cols;
  Int words() const { return rows.size() * cols.size(); }
};
struct Parcels {
  std::vector<Parcel> receives, sends;
};

/// One rank's messages in a Shift, AllGather or ReduceScatter, in the order in which they are posted: peers along the
/// axis from the rank's own place, so that not all ranks address the same one at the same time. Empty ones are left
/// out. A ReduceScatter's received parcels are pieces of others' sums. Other steps have none.
Parcels parcels(const Schedule& schedule, const Step& step, Int rank);

}  // namespace cairn
