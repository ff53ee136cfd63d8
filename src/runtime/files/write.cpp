// Writing dense matrices.
#include <fmt/format.h>

#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "cairn/files.hpp"
#include "runtime/files/agreed_errors.hpp"
#include "runtime/files/npy_file.hpp"
#include "runtime/files/shared_atomic_file.hpp"
#include "runtime/files/source.hpp"

namespace cairn {

Int npy_bytes(ScalarType type, Int m, Int n, bool vector) {
  return static_cast<Int>(io::format_npy_header(type, Order::row, m, n, vector).size()) + m * n * size_of(type);
}

void require_writable(const Comm& comm, const std::string& path, Int bytes, const std::string& argument) {
  SharedAtomicFile file(comm, path, label(path, argument));
  file.reserve(bytes);
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
  file.reserve(bytes);
  write_npy_elements(comm, file.temporary(), name, matrix, options);
  file.commit(bytes);
}

template void write_npy(const Comm&, const std::string&, const DistMatrix<float>&, const WriteOptions&);
template void write_npy(const Comm&, const std::string&, const DistMatrix<double>&, const WriteOptions&);
template void write_npy(const Comm&, const std::string&, const DistMatrix<std::complex<float>>&, const WriteOptions&);
template void write_npy(const Comm&, const std::string&, const DistMatrix<std::complex<double>>&, const WriteOptions&);

}  // namespace cairn
