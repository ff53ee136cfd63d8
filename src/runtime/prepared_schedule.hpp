// What a schedule needs of MPI before it can run: its program, memory, and the transport that carries its words.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "interpret/count.hpp"
#include "model/labels.hpp"
#include "runtime/arena.hpp"
#include "runtime/nodes.hpp"
#include "runtime/shared/shared_arrays.hpp"
#include "runtime/transport/remote_places.hpp"
#include "runtime/transport/two_sided.hpp"

namespace cairn {

/// Why one-sided transport cannot carry a program of so many steps; nothing if it can.
std::optional<std::string> too_much_for_one_sided(const Program& program, std::size_t steps);

/// A schedule as it is to be carried out.
struct Wanted {
  const Schedule& collective;  ///< as the algorithm wrote it: ranks that share memory carry out collectives as such
  const Schedule& wire;        ///< the same in messages
  ScalarType scalar;
  Transport transport = Transport::two_sided;
  Int ranks_per_node = 0;
  Labels labels{};
  std::optional<Int> memory_words{};
};

class PreparedSchedule {
 public:
  /// By the transport asked for, or two-sided where that does not work here: then obstacle() says why. Collective.
  PreparedSchedule(const Comm& comm, Wanted wanted);

  Transport transport() const { return transport_; }
  const std::string& obstacle() const { return obstacle_; }
  /// Which of the two schedules is carried out.
  const Schedule& schedule() const { return shared_ ? wanted_.collective : wanted_.wire; }
  /// What this rank will receive, compute and hold.
  const Count& count() const { return count_; }

  /// Whether the program is another one than before with arrays of the given leading dimensions (0: dense), where
  /// `mine` tells by slot whether this rank's array lies at own_part(). Collective where ranks share memory.
  bool prepare(const std::vector<Int>& leading, const std::vector<bool>& mine);
  Program take_program() { return std::move(program_); }
  std::unique_ptr<TwoSided> wire(const Program& program) const;
  std::byte* arena() const { return shared_ ? shared_->heap() : arena_.data(); }
  /// What this rank holds of it.
  Int arena_words() const { return shared_ ? shared_->heap_words() : arena_.bytes() / size_of(wanted_.scalar); }

  /// Memory for an input, as SharedArrays has it: none where ranks do not share memory.
  SharedBlock share(Slot input) { return shared_ ? shared_->share(input) : SharedBlock(); }
  std::byte* own_part(Slot input) const { return shared_ ? shared_->own_part(input) : nullptr; }
  const SharedBlock* block(Slot input) const { return shared_ ? shared_->block(input) : nullptr; }

 private:
  /// What speaks against it on this rank, or on another.
  std::string node_shared();
  std::string one_sided();
  Count counted_by_messages() const;
  Program compiled(const std::vector<Int>& leading, Transport transport) const;
  Int position() const { return wanted_.labels.position(comm_.rank()); }

  const Comm comm_;
  const Wanted wanted_;
  const Nodes& nodes_;
  Transport transport_ = Transport::two_sided;
  std::string obstacle_;
  std::unique_ptr<SharedArrays> shared_;  ///< with node-shared only
  Arena arena_;                           ///< with all others
  RemotePlaces places_;
  std::optional<std::vector<Int>> leading_;  ///< of the program
  Program program_;
  Count count_;
};

}  // namespace cairn
