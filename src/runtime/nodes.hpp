// Which ranks of a communicator share a node.
#pragma once
#include <vector>

#include "cairn/comm.hpp"
#include "cairn/types.hpp"

namespace cairn {

struct Nodes {
  std::vector<int> of;  ///< number of the node of every rank; nodes are numbered by their first rank
  int count = 1;
  bool same(int a, int b) const { return of[static_cast<std::size_t>(a)] == of[static_cast<std::size_t>(b)]; }
};

/// `ranks_per_node` consecutive ranks each; with 0, the ranks that share memory, as MPI knows them. Collective the
/// first time, then kept with the communicator.
const Nodes& nodes_of(const Comm& comm, Int ranks_per_node);

}  // namespace cairn
