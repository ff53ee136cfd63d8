#include "runtime/shared/node_shared.hpp"

namespace cairn {

void NodeShared::begin(Memory memory) {
  node_.begin(program_.phases);
  TwoSided::begin(std::move(memory));
}

// Who waits looks after its messages, since others may need them to come here.
TwoSided::Over NodeShared::meet(const Meet& x) {
  node_.reach(x.reach);
  for (const Meet::Peer& p : x.peers)
    node_.await(p.rank, p.phase, [this] {
      if (pending()) in_flight();
    });
  return {};
}

}  // namespace cairn
