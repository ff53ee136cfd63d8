// The memory of a plan's buffers on one rank.
#pragma once
#include <mpi.h>

#include <memory>

#include "cairn/comm.hpp"
#include "cairn/types.hpp"

namespace cairn {

/// Aligned to 64 bytes where it is plain, and zero at first. Moves, and gives the memory back with itself.
class Arena {
 public:
  Arena() = default;
  static Arena plain(Int bytes);

  std::byte* data() const { return data_; }
  Int bytes() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  Int bytes_ = 0;
  std::shared_ptr<void> owner_;
};

}  // namespace cairn
