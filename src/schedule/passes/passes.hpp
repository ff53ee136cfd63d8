// Transformations of a whole schedule; each keeps what it computes and `check` accepts the result.
#pragma once
#include <functional>
#include <vector>

#include "model/transport.hpp"
#include "schedule/by_place.hpp"

namespace cairn {

/// Move every communication step up past at most `depth` multiplications that it does not depend on, so that its
/// data travel while they compute; panels also move up past sums of results, but past those of which every rank gets a
/// part only on their way past a multiplication.  [cosma-sc19 §7.3]
Schedule look_ahead(Schedule schedule, int depth);

/// Replace collectives by point-to-point steps, each as its `how` says: docs/collectives.md. Where that is open, Bcast
/// and Reduce become binomial trees, AllGather and ReduceScatter stay: every rank exchanges directly with every other,
/// which receives no word twice. They also stay where their pieces are not even ones along the axis, and on one rank.
Schedule expand_collectives(const Schedule& schedule);

/// Where every scratch slot of one rank lives in its arena.
struct Placement {
  std::vector<Int> offset;   ///< by slot: words from the start of the arena; -1 for views and caller's memory
  std::vector<Int> scratch;  ///< by step: offset of the step's own buffer, -1 if it needs none
  Int words = 0;             ///< size of the arena
  Int values = 0;            ///< of these, for slots and buffers but those of triangles that travel: the first ones

  /// Only with one-sided transport: blocks of the caller's inputs that are copied for others to read, and by step where
  /// others add to this rank's piece of a sum, -1 if they do not.
  struct Input {
    Slot storage;
    IndexSet rows, cols;
    Int offset;
  };
  std::vector<Input> inputs;
  std::vector<Int> sums;
  /// Offset of the copy of a block, -1 if there is none.
  Int input(Slot storage, const IndexSet& rows, const IndexSet& cols) const;
};
Placement place_buffers(const Schedule& schedule, Int rank, Transport transport = Transport::two_sided);

/// What the steps of a schedule do, and when its slots are first and last used, which is the same on every rank: found
/// once, it serves all. Sums that are sent are in use until they are taken up where they arrive, if something is
/// computed in between: sums of that, in the same place, would wait for the message.
struct Uses {
  static constexpr std::size_t never = ~std::size_t{0};
  std::vector<Effect> does;
  std::vector<std::size_t> first, last;  ///< steps, by slot with storage of its own
  std::vector<std::size_t> buffered;     ///< steps that may need buffers of their own with two-sided transport
  std::vector<std::size_t> triangles;    ///< steps by which triangles travel
  /// By step: the next one that reads what its messages bring; itself if there is none, or if it completes them.
  std::vector<std::size_t> taken_up;
  ByPlace slots;
  explicit Uses(const Schedule& schedule);
};
/// A slot of the arena, or a step's own buffer, on one rank.
struct ArenaValue {
  std::size_t first, last;  ///< steps, inclusive, between which it is alive
  Int words;
  Slot slot;  ///< -1: the buffer of step `first`
};
/// All but buffers of triangles that travel. `held` says how many words of a slot the rank has, if somebody remembers.
std::vector<ArenaValue> arena_values(const Schedule& schedule, const Uses& uses, Int rank, Transport transport,
                                     const std::function<Int(Slot)>& held = {});
Placement place_buffers(const Schedule& schedule, const Uses& uses, Int rank, Transport transport,
                        const std::function<Int(Slot)>& held = {});

/// Pieces of a sum that are on their way to a rank at the same time, in a direct reduce-scatter.
constexpr Int pieces_in_flight = 2;

/// Words of buffer that a step needs on a rank beside its slots.
Int buffer_words(const Schedule& schedule, const Effect& effect, Int rank, Transport transport = Transport::two_sided);

}  // namespace cairn
