// A temporary file that all ranks fill, and that gets its name when all have succeeded.
#pragma once
#include <optional>
#include <string>

#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "cairn/types.hpp"
#include "io/atomic_file.hpp"
#include "runtime/files/mpi_file.hpp"

namespace cairn {

/// Collective: the temporary file that becomes `path`; only rank 0 holds it. Its errors begin with `name`.
class CollectiveAtomicFile {
 public:
  CollectiveAtomicFile(const Comm& comm, const std::string& path, std::string name);

  /// Takes `bytes` bytes of the disk, so that a full disk is noticed before anything is computed. Where the file system
  /// cannot do that, nothing happens, and the writes will notice.
  void reserve(Int bytes);
  /// Opens it for all ranks, to be written until it is completed or gets its name.
  MpiFile& open();
  /// Rank 0 writes all of it, and it is completed.
  void fill(const std::string& text);
  /// Closes it, checks that it has `bytes` bytes, and waits until they are on the disk. Of several files that belong
  /// together, all are completed before the first gets its name: then nothing is left that is likely to fail.
  void complete(Int bytes);
  /// The same, and gives it its name.
  void commit(Int bytes);

 private:
  /// work() on rank 0 only, its errors on all ranks.
  template <class Work>
  void on_rank_0(const Work& work);
  void close();

  const Comm& comm_;
  std::string path_, name_, temporary_;
  std::optional<io::AtomicFile> file_;
  std::optional<MpiFile> opened_;
};

}  // namespace cairn
