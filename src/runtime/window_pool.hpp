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
};

/// The windows of one communicator. A rank drops one by giving up its pointer, without communication: it serves again,
/// or MPI gets it back, when the ranks next look for one together, or when their communicator goes.
class WindowPool {
 public:
  /// Windows of up to `small` bytes serve whatever their size; nobody saves by making smaller ones.
  explicit WindowPool(Int small_bytes) : small(small_bytes) {}
  ~WindowPool() { release(); }
  WindowPool(const WindowPool&) = delete;
  WindowPool& operator=(const WindowPool&) = delete;

  /// A window that no rank holds any more and that has at least so many bytes on every rank, but on none an eighth
  /// more, unless it is small. Null if there is none. What else no rank holds goes back to MPI. Collective over `comm`.
  std::shared_ptr<Window> reuse(MPI_Comm comm, Int bytes);
  /// Collective.
  void keep(std::shared_ptr<Window> window) { windows_.push_back(std::move(window)); }
  /// MPI_Win_sync on one of them, which does for the memory of all.
  void synchronise() const;
  /// Gives a window back to MPI that is not kept. Collective.
  static void give_back(Window& window);
  /// Gives all windows back to MPI, also those that are held. Collective.
  void release();

  const Int small;

 private:
  std::vector<std::shared_ptr<Window>> windows_;  ///< in the order in which they were made, alike on all ranks
};

}  // namespace cairn
