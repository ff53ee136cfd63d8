// The memory of a plan's buffers on one rank.
#pragma once
#include <mpi.h>

#include <memory>

#include "cairn/comm.hpp"
#include "cairn/types.hpp"

namespace cairn {

/// Aligned to 64 bytes where it is plain or untouched, and zero at first unless untouched. Moves, and gives the memory
/// back with itself.
class Arena {
 public:
  Arena() = default;
  static Arena plain(Int bytes);
  static Arena untouched(Int bytes);
  /// This rank's part of an MPI window over the communicator, open to all its ranks (MPI_Win_lock_all), whose
  /// displacements are bytes. Collective; giving it back is not. Throws RuntimeError on all ranks if MPI fails on any.
  static Arena window(const Comm& comm, Int bytes);

  std::byte* data() const { return data_; }
  Int bytes() const { return bytes_; }
  /// MPI_WIN_NULL where it is plain.
  MPI_Win window() const { return window_; }

 private:
  std::byte* data_ = nullptr;
  Int bytes_ = 0;
  MPI_Win window_ = MPI_WIN_NULL;
  std::shared_ptr<void> owner_;
};

}  // namespace cairn
