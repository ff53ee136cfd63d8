// Who sends which block to whom in a step that moves blocks as they are.
#pragma once
#include <vector>

#include "schedule/effect.hpp"

namespace cairn {

/// Elements of a slot that travel in one message.
struct Parcel {
  Slot slot;  ///< of the destination for a received one, else of the source
  Int peer;
  IndexSet rows, cols;
  Int words;
  Uplo shape = Uplo::full;  ///< of rows × columns, what travels
};
struct Parcels {
  std::vector<Parcel> receives, sends;
};

/// One rank's messages along an axis, in the order in which they are posted (for_each_source, for_each_reader). Empty
/// ones are left out. Where partial sums are added, received parcels are pieces of them. Other effects have none.
Parcels parcels(const Schedule& schedule, const Effect& effect, Int rank);

}  // namespace cairn
