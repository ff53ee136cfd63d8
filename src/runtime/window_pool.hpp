// Windows that serve again: making one takes as long as many runs.
#pragma once
#include <mpi.h>

#include <memory>
#include <vector>

#include "cairn/types.hpp"

namespace cairn {

/// Memory of a window, open to all its ranks (MPI_Win_lock_all) until MPI gets it back.
struct Window {
  MPI_Win win = MPI_WIN_NULL;
  std::byte* data = nullptr;
  Int bytes = 0;
  Int number = 0;  ///< counts the windows that this rank has kept
};

/// The windows of a set of ranks, whichever of their communicators asks. A rank drops one by giving up its pointer,
/// without communication: it serves again, or MPI gets it back, when the same ranks next look for one together, or at
/// the end. It is not given back when a communicator ends: MPI_Win_free waits for all ranks, which may end their
/// communicators at different times and in different orders.
class WindowPool {
 public:
  /// That of the ranks of `comm`, in this order. Local; lasts until release_all().
  static WindowPool& of(MPI_Comm comm);
  /// Gives all windows of all pools back to MPI, also those that are held. Collective over all ranks.
  static void release_all();

  WindowPool(const WindowPool&) = delete;
  WindowPool& operator=(const WindowPool&) = delete;

  /// Windows of up to so many bytes serve whatever their size; nobody saves by making smaller ones.
  static constexpr Int small = Int{1} << 16;

  /// A window that no rank holds any more and that has at least so many bytes on every rank, but on none an eighth
  /// more, unless it is small. Null if there is none. What else no rank holds goes back to MPI. Collective over `comm`.
  std::shared_ptr<Window> reuse(MPI_Comm comm, Int bytes);
  /// Collective.
  void keep(std::shared_ptr<Window> window);
  /// Gives all of these windows back to MPI, also those that are held. Collective.
  void release();

 private:
  explicit WindowPool(MPI_Group ranks) : ranks_(ranks) {}
  static std::vector<std::unique_ptr<WindowPool>>& all();

  MPI_Group ranks_;
  std::vector<std::shared_ptr<Window>> windows_;  ///< in the order in which they were made, alike on all ranks
};

}  // namespace cairn
