// Messages between nodes as in two-sided; within a node ranks read each other's memory and only tell how far they are.
#pragma once
#include "runtime/shared/node_memory.hpp"
#include "runtime/transport/two_sided.hpp"

namespace cairn {

class NodeShared final : public TwoSided {
 public:
  NodeShared(const Comm& comm, const Nodes& nodes, const Program& program, ScalarType scalar, NodeMemory& memory)
      : TwoSided(comm, nodes, program, scalar), node_(memory) {}
  void begin(Memory memory) override;
  Over meet(const Meet& x) override;

 private:
  NodeMemory& node_;
};

}  // namespace cairn
