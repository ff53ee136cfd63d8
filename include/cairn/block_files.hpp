// Block-sparse matrices from and to files, and their block sizes as text. What takes a communicator or a matrix is
// collective, and throws the same error on all ranks or none: ArgumentError where ranks give different names or
// options.
#pragma once
#include <string>

#include "cairn/block_sparse.hpp"
#include "cairn/files.hpp"

namespace cairn {

/// Block sizes that cover `total` rows or columns exactly, from what a user gives: "6" for blocks of 6 throughout,
/// "4,1,1" for these sizes again and again, "128x6" for 128 times 6, or the name of a file that read_block_sizes reads,
/// whose sizes are not repeated. Throws ArgumentError if the sizes do not add up to `total`, or a list is none;
/// FileError as read_block_sizes does, and for a file of more. Not collective.
BlockSizes parse_block_sizes(const std::string& text, Int total);

/// The sizes in a text file, separated by commas or white space: "128x6" is 128 times 6, and '%' begins a comment that
/// ends with its line. They add up to less than 2^31. It may be compressed with gzip. Throws FileError. Not collective.
BlockSizes read_block_sizes(const std::string& path);

/// The sizes of a matrix, rows and columns.
struct BlockShape {
  BlockSizes rows, cols;
};

/// What is known of the blocks of a matrix in a file: a file of Cairn's own holds them, and beside a Matrix Market file
/// `path` they are read from `path`.rows and `path`.cols. Throws FileError if there are none, or they do not cover the
/// matrix exactly.
BlockShape block_shape(const Comm& comm, const FileInfo& file);

/// Reads a Matrix Market file or one of Cairn's own, on any number of ranks. A rank holds its blocks, the index of
/// block rows, options.chunk_bytes of the file, and what ranks find there for it at a time: about as much, if blocks
/// are dealt evenly. Of Matrix Market's text every rank reads slices and sends the entries to their owners: blocks in
/// which the file has an entry are stored, entries that come several times are summed, and a triangle is completed by
/// its mirror image or, if options.keep_symmetry, stored as what it is. A file of Cairn's own gives the matrix as it
/// was stored. Throws ArgumentError if the sizes do not cover the matrix or are not those that the file has, if the
/// distribution does not suit them, and as require_readable_as does; FileError if the file is truncated, damaged or of
/// another kind, or holds numbers that are not finite.
template <class T>
BlockSparse<T> read_block_sparse(const Comm& comm, const FileInfo& file, BlockSizes rows, BlockSizes cols,
                                 BlockDistribution where, const ReadOptions& options = {});
template <class T>
BlockSparse<T> read_block_sparse(const Comm& comm, const std::string& path, BlockSizes rows, BlockSizes cols,
                                 BlockDistribution where, const ReadOptions& options = {}) {
  return read_block_sparse<T>(comm, inspect_file(comm, path), std::move(rows), std::move(cols), std::move(where),
                              options);
}

/// The same with the sizes that block_shape knows, dealt over all ranks.
template <class T>
BlockSparse<T> read_block_sparse(const Comm& comm, const FileInfo& file, const ReadOptions& options = {});
template <class T>
BlockSparse<T> read_block_sparse(const Comm& comm, const std::string& path, const ReadOptions& options = {}) {
  return read_block_sparse<T>(comm, inspect_file(comm, path), options);
}

struct BlockWriteOptions {
  /// Matrix Market only: write the lower triangle of such a matrix. One that is stored as such is always written so.
  Symmetry symmetry = Symmetry::general;
  std::string argument{};  ///< what messages call the file
  /// Bytes that a rank holds at a time beside its part of the matrix, unless a single block row takes more; 1 GiB at
  /// most.
  Int chunk_bytes = Int{16} << 20;
};

/// Writes Cairn's own file, which docs/block_files.md describes: all bits are as they were when it is read, on any
/// number of ranks. A temporary file beside `path` gets that name when all of it is on the disk; whatever happens
/// before, a file at `path` stays as it was. Throws FileError (no permission, disk full).
template <class T>
void write_block_sparse(const BlockSparse<T>& matrix, const std::string& path, const BlockWriteOptions& options = {});

/// Writes a Matrix Market file, coordinate, in the same way, and the sizes of block rows and columns to `path`.rows and
/// `path`.cols: all three get their names when the last of them is on the disk. Of elements that are zero only the
/// first one of a block of zeros is written, and of an antisymmetric matrix none on the diagonal, so that a block of
/// one row there is not stored when it is read. The numbers are the same. Throws ArgumentError also if the matrix does
/// not have the symmetry exactly.
template <class T>
void write_matrix_market(const BlockSparse<T>& matrix, const std::string& path, const BlockWriteOptions& options = {});

}  // namespace cairn
