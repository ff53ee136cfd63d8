// Which messages a rank sees off before it goes on: memory may not be written while it is still being sent. To take
// part in a Shift is to write to its destination, so a rank of a tree sends to its children on other nodes in turn. A
// value whose last reader was a message may give its place in the arena to the next one.
#pragma once
#include <vector>

#include "schedule/effect.hpp"

namespace cairn {

class SendWaits {
 public:
  /// As one rank in the middle of the grid finds it; the others' values have places of their own sizes in the same
  /// order.
  SendWaits(const Schedule& schedule, const std::vector<Effect>& effects);

  struct Wait {
    Slot storage;
    bool senders;  ///< only ranks that send wait: the others have sent nothing of what they receive
  };
  /// A rank that takes part in step number `step` waits for what it sent before out of these storages.
  const std::vector<Wait>& before(std::size_t step) const { return before_[step]; }
  /// The last step that waits for what was sent out of a storage; 0 if none does.
  std::size_t last(Slot storage) const { return last_[static_cast<std::size_t>(storage)]; }

 private:
  std::vector<std::vector<Wait>> before_;
  std::vector<std::size_t> last_;  // by storage
};

}  // namespace cairn
