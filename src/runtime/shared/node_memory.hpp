// Memory that the ranks of a node share, and how they tell each other how far they are.
#pragma once
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "cairn/comm.hpp"
#include "runtime/nodes.hpp"
#include "runtime/window_pool.hpp"

namespace cairn {

/// A block of memory that all ranks of a node see. When the last copy goes it serves again, see WindowPool.
class SharedBlock {
 public:
  SharedBlock() = default;
  explicit SharedBlock(std::shared_ptr<Window> window) : window_(std::move(window)) {}

  explicit operator bool() const { return window_ != nullptr; }
  /// Start of the block, the same memory on all ranks of the node.
  std::byte* data() const { return window_ ? window_->data : nullptr; }
  /// Of all ranks together.
  Int bytes() const { return window_ ? window_->bytes : 0; }

 private:
  std::shared_ptr<Window> window_;
};

/// One for a communicator and a division into nodes, kept with the communicator. Takes one communicator of MPI's.
class NodeMemory {
 public:
  NodeMemory(const Comm& comm, const Nodes& nodes);
  ~NodeMemory() { release(); }
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  /// Why the ranks cannot share memory; empty if they can. The same on all ranks of the communicator.
  const std::string& obstacle() const { return obstacle_; }
  /// Collective over the communicator: one block a node, to which this rank contributes `bytes`. An empty block, on all
  /// ranks of all nodes, if any node cannot have its.
  SharedBlock allocate(Int bytes);

  /// Gives all memory back to MPI. Collective over the node.
  void release();

  /// Start of a run in which phases stay below `phases`. Collective; something else must have made sure that all ranks
  /// of the node have ended the run before.
  void begin(Int phases);
  /// Tell the node that this rank has reached a phase: what it wrote before, others may read.
  void reach(Int phase);
  /// Wait until a rank of the node has. `poll` is called meanwhile, now and then.
  template <class F>
  void await(int rank, Int phase, F poll) {
    for (int tries = 0; !has_reached(rank, phase); ++tries) pause(tries, poll);
    windows_.synchronise();
  }

 private:
  bool has_reached(int rank, Int phase) const;
  static void rest(int tries);
  template <class F>
  static void pause(int tries, F poll) {
    if (tries % 16 == 15) poll();
    rest(tries);
  }
  Int* counter(int rank) const;
  bool all_succeed(bool here) const;

  MPI_Comm everyone_, node_ = MPI_COMM_NULL;
  std::vector<int> member_;  ///< by rank: rank in the node's communicator, or -1
  int rank_;
  WindowPool windows_{Int{1} << 20};  ///< of node_
  SharedBlock progress_;
  Int base_ = 0, phases_ = 0;
  std::string obstacle_;
};

/// The communicator's, made the first time: collective.
NodeMemory& node_memory(const Comm& comm, Int ranks_per_node);

}  // namespace cairn
