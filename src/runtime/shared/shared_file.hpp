// Memory of one process that other processes of the machine can see.
#pragma once
#include <memory>

#include "cairn/types.hpp"

namespace cairn {

/// A file in memory without a name (memfd_create of Linux): nothing of it is in /dev/shm, where containers have little
/// room, nothing is left behind however a program ends, and the memory is free again when the last process lets go.
class SharedFile {
 public:
  /// What other processes find it by. The last two tell it from another one, of a process with the same number that
  /// belongs to another container.
  struct Name {
    Int process = 0, descriptor = -1, device = 0, inode = 0;
  };

  SharedFile() = default;
  /// Of so many bytes, which are 0; not open if the system refuses it.
  static SharedFile make(Int bytes);
  /// One that another process has open; not open if it cannot be had.
  static SharedFile find(const Name& name);
  SharedFile(SharedFile&& other) noexcept;
  SharedFile& operator=(SharedFile&& other) noexcept;
  ~SharedFile();

  bool is_open() const { return descriptor_ >= 0; }
  Name name() const;
  /// Has the system set `bytes` from `start` on aside, near this process. Whether it could.
  bool reserve(Int start, Int bytes) const;
  /// The first `bytes`, also after the file was closed; null if the system refuses.
  std::shared_ptr<std::byte> map(Int bytes) const;

 private:
  explicit SharedFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace cairn
