// The memory of a plan's buffers on one rank.
#pragma once
#include <mpi.h>

#include <memory>

#include "cairn/comm.hpp"
#include "cairn/types.hpp"
#include "runtime/window_pool.hpp"

namespace cairn {

/// Memory that grows to what the neediest of its users asked for, aligned to 64 bytes.
class CommonBuffer {
 public:
  /// At least so many bytes, from now on perhaps at another place and with other contents. Where they are refused
  /// (std::bad_alloc), the contents are lost, but not the room.
  void require(Int bytes);
  std::byte* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(std::byte* p) const;
  };
  void allocate(Int bytes);

  std::unique_ptr<std::byte[], Free> data_;
  Int bytes_ = 0;
};

/// Moves, and gives the memory back with itself.
class Arena {
 public:
  Arena() = default;
  /// Plain memory, which all plans of a communicator share, as only one of them runs at a time: it is as large as the
  /// largest needs it, lasts as long as any plan, and holds nothing from one run to the next.
  static Arena plain(const Comm& comm, Int bytes);
  /// This rank's part of an MPI window over the communicator, open to all its ranks (MPI_Win_lock_all), whose
  /// displacements are bytes. Collective; giving it back is not. Throws RuntimeError on all ranks if MPI fails on any.
  enum class Content : std::uint8_t { zero, any };
  static Arena window(const Comm& comm, Int bytes, Content content = Content::zero);

  /// Only until another plan is made.
  std::byte* data() const { return buffer_ ? buffer_->data() : window_ ? window_->data : nullptr; }
  Int bytes() const { return bytes_; }
  /// MPI_WIN_NULL where it is plain.
  MPI_Win window() const { return window_ ? window_->win : MPI_WIN_NULL; }

 private:
  Int bytes_ = 0;
  std::shared_ptr<CommonBuffer> buffer_;
  std::shared_ptr<Window> window_;
};

}  // namespace cairn
