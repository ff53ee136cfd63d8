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

/// The ranks of this one's node as MPI knows it, in their order. Collective the first time.
inline std::vector<int> ranks_of_node(const Comm& comm) {
  const Nodes& nodes = nodes_of(comm, 0);
  std::vector<int> ranks;
  for (int r = 0; r < comm.size(); ++r)
    if (nodes.same(r, comm.rank())) ranks.push_back(r);
  return ranks;
}

}  // namespace cairn
