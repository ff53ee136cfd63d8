// Views of slots, each made once.
#pragma once
#include <unordered_map>

#include "schedule/schedule.hpp"

namespace cairn {

class Views {
 public:
  /// The part of x with this layout; the same slot where this object has named it before.
  Slot of(Schedule& s, Slot x, Layout layout);

 private:
  std::unordered_multimap<std::size_t, Slot> named_;  // by hash of storage and layout
};

}  // namespace cairn
