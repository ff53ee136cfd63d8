// Writing: a temporary file that all ranks fill, and that gets its name when all have succeeded.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "cairn/files.hpp"
#include "io/atomic_file.hpp"
#include "runtime/files/agreed_errors.hpp"
#include "runtime/files/npy_file.hpp"
#include "runtime/files/source.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

namespace {

/// Collective: the temporary file that becomes `path`; only rank 0 holds it. Its errors begin with the path.
class SharedAtomicFile {
 public:
  SharedAtomicFile(const Comm& comm, const std::string& path, std::string name)
      : comm_(comm), path_(path), name_(std::move(name)) {
    on_rank_0([&] {
      file_.emplace(path);
      temporary_ = file_->temporary();
    });
    int length = static_cast<int>(temporary_.size());
    MPI_TRY(MPI_Bcast(&length, 1, MPI_INT, 0, comm.raw()));
    temporary_.resize(static_cast<std::size_t>(length));
    MPI_TRY(MPI_Bcast(temporary_.data(), length, MPI_CHAR, 0, comm.raw()));
  }

  const std::string& temporary() const { return temporary_; }
  void commit() {
    on_rank_0([&] { file_->commit(); });
  }

  /// Collective: work() on rank 0 only, its errors on all ranks.
  template <class Work>
  void on_rank_0(const Work& work) {
    together(comm_, [&] {
      if (comm_.rank() != 0) return;
      try {
        work();
      } catch (const FileError& error) {
        const std::string text = error.what();
        throw FileError(text.rfind(path_ + ":", 0) == 0 ? name_ + text.substr(path_.size()) : name_ + ": " + text);
      }
    });
  }

 private:
  const Comm& comm_;
  std::string path_, name_, temporary_;
  std::optional<io::AtomicFile> file_;
};

/// Takes `bytes` bytes of the disk for a file, so that a full disk is noticed before anything is computed. Where the
/// file system cannot do that, nothing happens, and the writes will notice.
void reserve(const std::string& file, Int bytes) {
#ifdef __linux__
  const int fd = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) throw FileError(fmt::format("{}: cannot be opened: {}", file, std::strerror(errno)));
  const int error = bytes > 0 && ::fallocate(fd, 0, 0, bytes) != 0 ? errno : 0;
  ::close(fd);
  if (error != 0 && error != EOPNOTSUPP && error != ENOSYS && error != EINTR)
    throw FileError(fmt::format("cannot be written: no room for {} bytes: {}", bytes, std::strerror(error)));
#else
  static_cast<void>(file);
  static_cast<void>(bytes);
#endif
}

void require_size(const std::string& file, Int bytes) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) throw FileError(fmt::format("cannot be written: {}", std::strerror(errno)));
  if (status.st_size != bytes)
    throw FileError(fmt::format("cannot be written: {} bytes reached the disk, expected {}", status.st_size, bytes));
}

}  // namespace

Int npy_bytes(ScalarType type, Int m, Int n, bool vector) {
  return static_cast<Int>(io::format_npy_header(type, Order::row, m, n, vector).size()) + m * n * size_of(type);
}

void require_writable(const Comm& comm, const std::string& path, Int bytes, const std::string& argument) {
  SharedAtomicFile file(comm, path, label(path, argument));
  file.on_rank_0([&] { reserve(file.temporary(), bytes); });
}

template <class T>
void write_npy(const Comm& comm, const std::string& path, const DistMatrix<T>& matrix, const WriteOptions& options) {
  const std::string name = label(path, options.argument);
  const Layout& layout = matrix.layout();
  comm.agree({}, name, fmt::format("{} x {}", layout.m(), layout.n()));
  together(comm, [&] {
    if (layout.grid.ranks() > comm.size())
      throw ArgumentError(fmt::format("{}: a layout on {} ranks, expected at most the {} of the communicator", name,
                                      layout.grid.ranks(), comm.size()));
    if (options.vector && layout.n() != 1)
      throw ArgumentError(fmt::format("{}: {} columns, expected one of a vector", name, layout.n()));
  });
  const Int bytes =
      static_cast<Int>(
          io::format_npy_header(scalar_type_of<T>, options.order, layout.m(), layout.n(), options.vector).size()) +
      layout.m() * layout.n() * static_cast<Int>(sizeof(T));
  SharedAtomicFile file(comm, path, name);
  file.on_rank_0([&] { reserve(file.temporary(), bytes); });
  write_npy_elements(comm, file.temporary(), name, matrix, options);
  file.on_rank_0([&] { require_size(file.temporary(), bytes); });
  file.commit();
}

template void write_npy(const Comm&, const std::string&, const DistMatrix<float>&, const WriteOptions&);
template void write_npy(const Comm&, const std::string&, const DistMatrix<double>&, const WriteOptions&);
template void write_npy(const Comm&, const std::string&, const DistMatrix<std::complex<float>>&, const WriteOptions&);
template void write_npy(const Comm&, const std::string&, const DistMatrix<std::complex<double>>&, const WriteOptions&);

}  // namespace cairn
