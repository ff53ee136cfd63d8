// Ranks of a node tell each other what they were called with, without waiting for each other.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "runtime/shared/node_memory.hpp"

namespace cairn::scalapack {

/// Every rank posts a notice of each of its calls on a grid in memory that its node shares, and reads those of its two
/// neighbours, if they are there already: of two that differ, whoever comes second finds it. A rank that is further
/// ahead than there are places for notices is not compared. Each rank lets go of the memory by itself, when its grid
/// ends.
class NoticeBoard {
 public:
  /// What calls must agree on, as numbers; all zero: a call that waits for the others, and compares everything itself.
  using Notice = std::array<std::uint32_t, 14>;

  /// The board of a grid that is in use; null where it has none (yet), or the context is dead. Costs next to nothing.
  static NoticeBoard* of(int context);
  /// Counts a call on the grid for which a board would have served, and makes one after a few. Collective. There is
  /// none where all calls are carried out, nor where the ranks do not all share memory; if that is refused,
  /// CAIRN_VERBOSE=1 says so.
  static void would_serve(const Comm& comm, int context);

  ~NoticeBoard();
  NoticeBoard(const NoticeBoard&) = delete;
  NoticeBoard& operator=(const NoticeBoard&) = delete;

  /// Of a call that waits for the others: whether, as far as this rank sees, no neighbour goes on without waiting.
  static bool all_wait(int context);

  int ranks() const { return ranks_; }
  /// Posts this rank's next notice. Where a neighbour's differs, the first number that does.
  std::optional<std::size_t> post(const Notice& notice);

 private:
  struct alignas(64) Place {
    std::uint64_t number;  ///< of the call, from 1; written last
    Notice notice;
  };
  static constexpr std::size_t places = 64;  // a page a rank

  NoticeBoard(SharedBlock block, int context, int rank, int ranks);
  Place* places_of(int rank) const;
  std::optional<std::size_t> difference(const Place& place, const Notice& notice) const;

  SharedBlock block_;
  int context_, ranks_;
  std::uint64_t calls_ = 0;
  Place* mine_;
  std::array<const Place*, 2> neighbours_;
};

}  // namespace cairn::scalapack
