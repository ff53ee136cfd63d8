// Distributed matrices from and to files. Every function is collective, and throws the same error on all ranks or none;
// ArgumentError if paths or options differ between ranks.
#pragma once
#include <memory>
#include <string>

#include "cairn/blocks.hpp"
#include "cairn/matrix.hpp"

namespace cairn {

class Comm;

enum class FileFormat : std::uint8_t {
  npy,
  matrix_market,
  block_sparse  ///< Cairn's own: docs/block_files.md
};

/// What the header of a matrix file says, the same on all ranks.
struct FileInfo {
  std::string path;
  std::string argument;  ///< what messages call the file ("A"); may be empty
  FileFormat format = FileFormat::npy;
  /// Matrix Market's text has no precision: float64 (real, integer, pattern) or complex128.
  ScalarType type = ScalarType::float64;
  Symmetry symmetry = Symmetry::general;  ///< that the file says the matrix has
  Int rows = 0, cols = 0;                 ///< a vector in a .npy file is a matrix of one column
  bool vector = false;                    ///< the file is a .npy file with one dimension
  Int bytes = 0;                          ///< of the file, before decompression
  Int entries = 0;                        ///< elements stored in the file
  Order order = Order::row;
  bool compressed = false;
  std::string note;  ///< for people: "npy, C order" or "Matrix Market, coordinate real symmetric, gzip"

  struct Source;  ///< private to the library
  std::shared_ptr<const Source> source;
};

/// Looks at the header of a .npy file (NumPy's format, the four types of ScalarType, little endian, C or Fortran order)
/// or of a Matrix Market file (array or coordinate, any field and symmetry; it may be compressed with gzip), or of
/// Cairn's own file of a block-sparse matrix, which read_block_sparse reads. The content decides, not the name. Throws
/// FileError if the file is missing, not readable, truncated, damaged or of another kind.
FileInfo inspect_file(const Comm& comm, const std::string& path, const std::string& argument = "");

struct ReadOptions {
  /// Accept NaN and infinity; otherwise FileError with the position of the first.
  bool allow_nonfinite = false;
  /// Bytes of a file that a rank holds at a time beside its part of the matrix, 1 GiB at most.
  Int chunk_bytes = Int{16} << 20;
  /// Block-sparse matrices of Matrix Market files: one that the file says has a symmetry is stored as such; otherwise
  /// its triangle is completed.
  bool keep_symmetry = false;
};

/// Throws ArgumentError if the file's numbers cannot be read as `type` without loss: real numbers may become complex,
/// and single precision double, but not the other way, except that Matrix Market's decimal numbers are rounded to any
/// precision. Not collective: the same on all ranks.
void require_readable_as(const FileInfo& file, ScalarType type);

/// Reads the parts that `layout` gives to the ranks. Of a .npy file each rank reads only its own part, through MPI-IO.
/// Of a Matrix Market file each rank reads a slice of the text and sends the entries to their owners; entries that come
/// several times are summed, and a triangle is completed by its mirror image. A compressed file is decompressed by rank
/// 0, which holds its text meanwhile. Throws ArgumentError as require_readable_as does, and for a layout of another
/// size or on more ranks than there are; FileError as inspect_file does, for a file of a block-sparse matrix, and for
/// numbers that are not finite or become too large for the type, naming the position; MemoryError if a rank has no
/// memory.
template <class T>
DistMatrix<T> read_matrix(const Comm& comm, const FileInfo& file, const Layout& layout,
                          const ReadOptions& options = {});

/// inspect_file and read_matrix.
template <class T>
DistMatrix<T> read_matrix(const Comm& comm, const std::string& path, const Layout& layout,
                          const ReadOptions& options = {}) {
  return read_matrix<T>(comm, inspect_file(comm, path), layout, options);
}

struct WriteOptions {
  Order order = Order::row;   ///< row: C order, NumPy's default; col: Fortran order
  bool vector = false;        ///< a matrix of one column as an array with one dimension
  std::string argument = {};  ///< what messages call the file
  /// Bytes of a file that a rank holds at a time beside its part of the matrix, 1 GiB at most.
  Int chunk_bytes = Int{16} << 20;
};

/// Throws FileError unless a file of `bytes` bytes could be written at `path` now: the directory exists and can be
/// written to, and has that much room. Leaves no trace.
void require_writable(const Comm& comm, const std::string& path, Int bytes, const std::string& argument = "");

/// Bytes that write_npy will write for an m × n matrix, or for a vector.
Int npy_bytes(ScalarType type, Int m, Int n, bool vector = false);

/// Writes the matrix through MPI-IO to a temporary file beside `path`, which gets that name when all ranks have written
/// all of it and it is on the disk: whatever happens before, a file at `path` stays as it was. Of replicated parts, one
/// copy is written. Throws FileError (no permission, disk full), ArgumentError if the matrix has more ranks than
/// `comm`, some of its elements are on several ranks (Layout::overlapping), a local buffer is too short, or a vector
/// has not one column.
template <class T>
void write_npy(const Comm& comm, const std::string& path, const DistMatrix<T>& matrix,
               const WriteOptions& options = {});

}  // namespace cairn
