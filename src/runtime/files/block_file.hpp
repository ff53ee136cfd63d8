// Files of block-sparse matrices: the binary one that io/block_file.hpp describes, and Matrix Market's text. Ranks
// write and read block rows in slices of bounded size, and blocks travel between those and where they live.
#pragma once
#include <string>

#include "cairn/blocks.hpp"
#include "cairn/comm.hpp"
#include "cairn/files.hpp"
#include "io/block_file.hpp"
#include "io/matrix_market.hpp"
#include "runtime/files/collective_atomic_file.hpp"

namespace cairn {

/// Writes the matrix of which this rank holds `mine`, stored as one of that symmetry, to `path`; errors call it `name`.
/// Collective; errors are the same on all ranks.
template <class T>
void write_block_file(const Comm& comm, const std::string& path, const std::string& name, const Blocks<T>& mine,
                      Symmetry symmetry, Int chunk_bytes);

/// The blocks of this rank. `none` is a matrix of the file's sizes, whose type holds the file's numbers.
template <class T>
Blocks<T> read_block_file(const Comm& comm, const FileInfo& file, const io::BlockFileHead& head, const Blocks<T>& none,
                          const BlockDistribution& where, const ReadOptions& options);

/// As text, coordinate, to a file that is then complete but has no name yet; returns its bytes. Elements that are not
/// zero, row by row, and of a block of zeros its first one, so that it is there again when it is read. Of a matrix that
/// is not general the lower triangle; that of an antisymmetric one has no diagonal, as the format asks for, so that a
/// block of zeros with one row on the diagonal is not written.
template <class T>
Int write_matrix_market_blocks(const Comm& comm, CollectiveAtomicFile& whole, const Blocks<T>& mine, Symmetry symmetry,
                               Int chunk_bytes);

}  // namespace cairn
