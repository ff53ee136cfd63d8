// What the ranks of a node share of a schedule's arrays: memory for inputs that all may read, and for all values.
#pragma once
#include <optional>

#include "program/shared/compile_shared.hpp"
#include "runtime/shared/node_memory.hpp"

namespace cairn {

class SharedArrays {
 public:
  SharedArrays(const Comm& comm, const Schedule& schedule, ScalarType scalar, Int ranks_per_node);

  /// Why the ranks cannot share memory; empty if they can. The same on all ranks.
  const std::string& obstacle() const { return obstacle_; }
  /// Collective: an obstacle if any rank would hold more words than `limit`.
  void require(Int peak_words, const std::optional<Int>& limit);

  /// Collective, once a slot: memory for an input that all of its node can read; null where that gains nothing, as it
  /// is brought to another layout first. An empty block on all ranks if there is none.
  SharedBlock share(Slot input);
  /// This rank's part of it.
  std::byte* own_part(Slot input) const;

  /// Collective: brings memory up to date with arrays of the given leading dimensions, where `mine` tells by slot
  /// whether this rank's array lies at own_part(). The program for them, if it is another one than before.
  /// Throws RuntimeError on all ranks if the node has no memory for it.
  std::optional<Program> prepare(const std::vector<Int>& leading, std::vector<bool> mine);
  /// Whether the arrays of the slot were shared at the last prepare(): then they are all within this block.
  const SharedBlock* block(Slot input) const;
  std::byte* heap() const { return heap_.data(); }
  /// Words that this rank contributes to it.
  Int heap_words() const { return heap_words_; }
  NodeMemory& memory() const { return memory_; }

 private:
  bool shareable(Slot input) const;
  void grow(const NodeValues& values);

  const Comm comm_;
  const Schedule& schedule_;
  ScalarType scalar_;
  NodeMemory& memory_;
  Sharing sharing_;
  std::vector<SharedBlock> blocks_;      ///< by slot
  std::vector<std::vector<Int>> start_;  ///< by slot, then member: words from the start of the block
  NodeArrays arrays_;
  std::vector<bool> open_;
  bool ready_ = false;
  SharedBlock heap_;
  Int heap_words_ = 0;
  std::string obstacle_;
};

}  // namespace cairn
