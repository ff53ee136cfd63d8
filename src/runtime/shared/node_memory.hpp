// Memory that the ranks of a node share, and how they tell each other how far they are.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "cairn/comm.hpp"
#include "runtime/nodes.hpp"

namespace cairn {

/// A block of memory that all ranks of a node see. Each rank lets go of it by itself, with its last copy.
class SharedBlock {
 public:
  SharedBlock() = default;
  SharedBlock(std::shared_ptr<std::byte> data, Int bytes) : data_(std::move(data)), bytes_(bytes) {}

  explicit operator bool() const { return data_ != nullptr; }
  /// Start of the block, which is that of a page; the same memory on all ranks of the node.
  std::byte* data() const { return data_.get(); }
  /// Of all ranks together.
  Int bytes() const { return bytes_; }

 private:
  std::shared_ptr<std::byte> data_;
  Int bytes_ = 0;
};

/// One for a communicator and a division into nodes, kept with the communicator. Takes one communicator of MPI's, which
/// it gives back, as it does all memory, without waiting for other ranks.
class NodeMemory {
 public:
  /// Collective over the communicator. `found`: the nodes are those that MPI found, not some of their ranks.
  NodeMemory(const Comm& comm, const Nodes& nodes, bool found);
  ~NodeMemory();
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  /// Why the ranks cannot share memory; empty if they can, as far as is known. The same on all ranks of the
  /// communicator.
  const std::string& obstacle() const { return obstacle_; }
  /// Collective over the communicator: one block a node, all 0, to which this rank contributes `bytes`. An empty block,
  /// on all ranks of all nodes, if any rank cannot have its node's.
  SharedBlock allocate(Int bytes);

  /// Once before the first run: room for what ranks tell each other; an obstacle if there is none. Collective over the
  /// communicator.
  void prepare();
  /// Start of a run in which phases stay below `phases`. Collective; something else must have made sure that all ranks
  /// of the node have ended the run before.
  void begin(Int phases);
  /// Tell the node that this rank has reached a phase: what it wrote before, others may read.
  void reach(Int phase);
  /// Wait until a rank of the node has. `poll` is called meanwhile, now and then.
  template <class F>
  void await(int rank, Int phase, F poll) {
    for (int tries = 0; !has_reached(rank, phase); ++tries) pause(tries, poll);
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
  bool on_one_machine() const;

  MPI_Comm everyone_, node_ = MPI_COMM_NULL;
  std::vector<int> member_;  ///< by rank: rank in the node's communicator, or -1
  int members_ = 0, rank_;
  SharedBlock progress_;
  Int base_ = 0, phases_ = 0;
  std::string obstacle_;
};

/// The communicator's, made the first time: collective.
NodeMemory& node_memory(const Comm& comm, Int ranks_per_node);

}  // namespace cairn
