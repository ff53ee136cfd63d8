// A schedule made ready to run where the ranks of a node share memory: the memory, and the program for it.
#pragma once
#include <memory>
#include <optional>

#include "program/shared/compile_shared.hpp"
#include "runtime/shared/node_memory.hpp"
#include "runtime/transport/two_sided.hpp"

namespace cairn {

class SharedRun {
 public:
  SharedRun(const Comm& comm, const Schedule& schedule, ScalarType scalar, Int ranks_per_node);

  /// Why the ranks cannot share memory; empty if they can. The same on all ranks.
  const std::string& obstacle() const { return obstacle_; }
  /// Collective: an obstacle if any rank would hold more words than `limit`.
  void require(Int peak_words, const std::optional<Int>& limit);
  const Schedule& schedule() const { return schedule_; }

  /// Collective, once a slot: memory for an input that all of its node can read; null where that gains nothing, as it
  /// is brought to another layout first. An empty block on all ranks if there is none.
  SharedBlock share(Slot input);
  /// This rank's part of it.
  std::byte* own_part(Slot input) const;

  /// Collective: brings memory and program up to date with arrays of the given leading dimensions, where `mine` tells
  /// by slot whether this rank's array lies at own_part(). Returns whether the program is another one than before.
  /// Throws RuntimeError on all ranks if the node has no memory for it.
  bool prepare(const std::vector<Int>& leading, std::vector<bool> mine);
  Program take_program() { return std::move(program_); }
  std::unique_ptr<TwoSided> wire(const Program& program) const;
  /// Whether the arrays of the slot were shared at the last prepare(): then they are all within this block.
  const SharedBlock* block(Slot input) const;
  std::byte* arena() const { return heap_.data(); }
  /// What this rank contributes to the memory of its node.
  Int arena_words() const { return arena_words_; }

 private:
  bool shareable(Slot input) const;

  const Comm comm_;
  const Schedule& schedule_;
  ScalarType scalar_;
  const Nodes& nodes_;
  NodeMemory& memory_;
  Sharing sharing_;
  std::vector<SharedBlock> blocks_;      ///< by slot
  std::vector<std::vector<Int>> start_;  ///< by slot, then member: words from the start of the block
  NodeArrays arrays_;
  std::vector<bool> open_;
  bool ready_ = false;
  SharedBlock heap_;
  Int arena_words_ = 0;
  std::string obstacle_;
  Program program_;
};

}  // namespace cairn
