// What a choice between messages and shared memory must know of the node that all ranks are on: measured at the first
// use, in a fifth of a second, and kept. Decision 32.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cairn/comm.hpp"
#include "model/machine.hpp"

namespace cairn {

struct NodeFigures {
  std::vector<Machine::Message> messages;  ///< all ranks send one and receive one, as the executor does
  double copy = 0, read = 0;               ///< seconds a byte of own memory
  double read_others = 0;                  ///< seconds a byte of another rank's
  double wait = 0;                         ///< for others in a step; 0: the ranks cannot share memory
  bool operator==(const NodeFigures&) const = default;
};

/// For what they are valid: the processor, the MPI library, and how many ranks are at work.
struct NodeHost {
  std::string processor, mpi;
  Int ranks = 0;
  bool operator==(const NodeHost&) const = default;
};

/// Those of this node: kept since the last time, or measured now; the same on all ranks. Null where rank 0 does not
/// want them, where the environment says CAIRN_MEASURE_NODE=0, where ranks are on several nodes, cannot share memory or
/// are more than there are cores. Collective, whatever ranks but 0 want.
const NodeFigures* node_figures(const Comm& comm, bool wanted);

/// A built-in machine that stands for whatever the program runs on, as seen by ranks of a node with such figures.
Machine on_node(Machine machine, const NodeFigures& figures);

/// Where they are kept: cairn/nodes.json below $XDG_CACHE_HOME, or ~/.cache.
std::string node_cache();
std::optional<NodeFigures> remembered(const std::string& path, const NodeHost& host);
bool remember(const std::string& path, const NodeHost& host, const NodeFigures& figures);

}  // namespace cairn
