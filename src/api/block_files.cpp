#include "cairn/block_files.hpp"

#include <fmt/format.h>

#include <limits>

#include "api/block_arguments.hpp"
#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "io/block_sizes.hpp"
#include "io/gzip.hpp"
#include "io/text.hpp"
#include "local/sparse/block_operations.hpp"
#include "local/sparse/symmetry.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/broadcast.hpp"
#include "runtime/files/block_file.hpp"
#include "runtime/files/collective_atomic_file.hpp"
#include "runtime/files/matrix_market_file.hpp"
#include "runtime/files/source.hpp"

namespace cairn {

namespace {

BlockSizes repeated(const BlockSizes& list, const std::string& text, Int all) {
  const Int once = total(list);
  if (once == all) return list;
  if (once == 0 || all % once != 0)
    throw ArgumentError(
        fmt::format("block sizes {}: they add up to {}, which does not go into {}, expected sizes that "
                    "cover {} rows or columns exactly",
                    io::in_quotes(text), once, all, all));
  const Int count = all / once;
  if (count > std::numeric_limits<BlockIndex>::max() / static_cast<Int>(list.size()))
    throw ArgumentError(fmt::format("block sizes {}: they would be repeated {} times, expected fewer than 2^31 blocks",
                                    io::in_quotes(text), count));
  BlockSizes sizes;
  sizes.reserve(static_cast<std::size_t>(count) * list.size());
  for (Int i = 0; i < count; ++i) sizes.insert(sizes.end(), list.begin(), list.end());
  return sizes;
}

void require_cover(const char* name, const BlockSizes& sizes, Int expected, const std::string& file) {
  if (total(sizes) != expected)
    throw ArgumentError(fmt::format("{}: {} blocks of together {} {}, expected the {} of {}", name, sizes.size(),
                                    total(sizes), name, expected, file));
}

const io::BlockFileHead* head_of(const FileInfo& file) { return std::get_if<io::BlockFileHead>(&file.source->header); }

void require_readable(const FileInfo& file, const BlockSizes& rows, const BlockSizes& cols, ScalarType type) {
  const std::string name = label(file.path, file.argument);
  if (!file.source) throw ArgumentError(name + ": expected a FileInfo made by inspect_file");
  if (file.format == FileFormat::npy)
    throw FileError(name + ": a .npy file, expected a Matrix Market file or one of Cairn's block-sparse files");
  require_cover("rows", rows, file.rows, name);
  require_cover("cols", cols, file.cols, name);
  if (const io::BlockFileHead* const head = head_of(file); head && (head->row_sizes != rows || head->col_sizes != cols))
    throw ArgumentError(fmt::format("{}: {} are in other blocks than those of the file, expected the same", name,
                                    head->row_sizes != rows ? "rows" : "cols"));
  require_readable_as(file, type);
}

// The mirror images of blocks (i, j) with i <= j.
template <class T>
Blocks<T> lower(Symmetry symmetry, const Blocks<T>& upper) {
  Blocks<T> x = transposed(upper, false);
  for (T& v : x.values) v = mirrored(symmetry, v);
  return x;
}

// Of blocks that a file says are those of a matrix with a symmetry.
template <class T>
void require_diagonal(Symmetry symmetry, const Blocks<T>& blocks, const std::string& name) {
  for_each(blocks, [&](BlockIndex i, BlockIndex j, Int b) {
    const T* const block = blocks.values.data() + blocks.at[static_cast<std::size_t>(b)];
    if (i == j && !off_symmetry(symmetry, block, blocks.height(i)).within(0))
      throw FileError(fmt::format("{}: damaged: block ({}, {}) is not {}, as the matrix is said to be", name, i, i,
                                  name_of(symmetry)));
  });
}

// Compared with its transpose block by block; one that is not stored is zero.
template <class T>
void require_symmetry(const BlockSparse<T>& A, Symmetry symmetry, const std::string& name) {
  if (symmetry == Symmetry::general || of_type<T>(symmetry) == A.symmetry()) return;
  if (A.symmetry() != Symmetry::general)
    throw ArgumentError(fmt::format("{}: the matrix is {}, expected one that is {}, as is to be written", name,
                                    name_of(A.symmetry()), name_of(symmetry)));
  A.comm().agree(A.rows() == A.cols()
                     ? std::nullopt
                     : std::optional(name + ": rows and columns are in different blocks, expected the same in a matrix "
                                            "that is written as symmetric"));
  std::optional<std::string> problem;
  for_each_mirrored(symmetry, A, [&](BlockIndex i, BlockIndex j, T x, T expected) {
    if (problem || x == expected) return;
    problem = fmt::format("{}: block ({}, {}) is not the mirror image of block ({}, {}), expected a matrix that is {}",
                          name, i, j, j, i, name_of(symmetry));
  });
  A.comm().agree(problem);
}

}  // namespace

BlockSizes parse_block_sizes(const std::string& text, Int all) {
  if (all < 0) throw ArgumentError(fmt::format("total: {}, expected 0 or more", all));
  if (io::is_list_of_sizes(text)) {
    try {
      constexpr Int some = Int{1} << 20;  // a list may also be repeated no times
      return repeated(io::parse_block_sizes(text, "block sizes", all > 0 ? all : some), text, all);
    } catch (const FileError& e) {
      throw ArgumentError(e.what());
    }
  }
  BlockSizes sizes = io::parse_block_sizes(io::read_file(text), text, all);
  if (total(sizes) != all)
    throw ArgumentError(fmt::format("block sizes in {}: they add up to {}, expected {}", text, total(sizes), all));
  return sizes;
}

BlockSizes read_block_sizes(const std::string& path) { return io::parse_block_sizes(io::read_file(path), path); }

BlockShape block_shape(const Comm& comm, const FileInfo& file) {
  const std::string name = label(file.path, file.argument);
  comm.agree_same("file to read", name);
  together(comm, [&] {
    if (!file.source) throw ArgumentError(name + ": expected a FileInfo made by inspect_file");
    if (file.format == FileFormat::npy) throw FileError(name + ": a .npy file, which has no blocks");
  });
  if (const io::BlockFileHead* const head = head_of(file)) return {head->row_sizes, head->col_sizes};
  BlockShape shape;
  const auto read = [&](const char* ending, Int expected, BlockSizes& sizes) {
    together(comm, [&] {
      if (comm.rank() != 0) return;
      sizes = io::parse_block_sizes(io::read_file(file.path + ending), file.path + ending, expected);
      if (total(sizes) != expected)
        throw FileError(fmt::format("{}{}: sizes of blocks that add up to {}, expected {} as {} has", file.path, ending,
                                    total(sizes), expected, name));
    });
    broadcast(comm, sizes);
  };
  read(".rows", file.rows, shape.rows);
  read(".cols", file.cols, shape.cols);
  return shape;
}

template <class T>
BlockSparse<T> read_block_sparse(const Comm& comm, const FileInfo& file, BlockSizes rows, BlockSizes cols,
                                 BlockDistribution where, const ReadOptions& options) {
  comm.agree_same("file to read", fmt::format("{}, {} bytes at a time{}{}", label(file.path, file.argument),
                                              options.chunk_bytes, options.keep_symmetry ? ", keeping symmetry" : "",
                                              options.allow_nonfinite ? ", with NaN" : ""));
  together(comm, [&] { require_readable(file, rows, cols, scalar_type_of<T>); });
  const io::BlockFileHead* const head = head_of(file);
  BlockSparse<T> A(comm, std::move(rows), std::move(cols), std::move(where),
                   head || options.keep_symmetry ? file.symmetry : Symmetry::general);
  const bool upper = A.symmetry() != Symmetry::general;
  Blocks<T> blocks = head ? read_block_file(comm, file, *head, A.local(), A.where(), options)
                          : read_matrix_market_blocks(comm, file, std::get<io::MatrixMarketHeader>(file.source->header),
                                                      A.local(), A.where(), upper, options);
  if (upper) together(comm, [&] { require_diagonal(A.symmetry(), blocks, label(file.path, file.argument)); });
  A.assign(std::move(blocks));
  return A;
}

template <class T>
BlockSparse<T> read_block_sparse(const Comm& comm, const FileInfo& file, const ReadOptions& options) {
  BlockShape shape = block_shape(comm, file);
  BlockDistribution where =
      BlockDistribution::dealt(static_cast<Int>(shape.rows.size()), static_cast<Int>(shape.cols.size()), comm.size());
  return read_block_sparse<T>(comm, file, std::move(shape.rows), std::move(shape.cols), std::move(where), options);
}

template <class T>
void write_block_sparse(const BlockSparse<T>& A, const std::string& path, const BlockWriteOptions& options) {
  const std::string name = label(path, options.argument);
  A.comm().agree_same("file to write",
                      fmt::format("{}, {} bytes at a time, of {}", name, options.chunk_bytes, meant(A)));
  write_block_file(A.comm(), path, name, settled(A), of_type<T>(A.symmetry()), options.chunk_bytes);
}

template <class T>
void write_matrix_market(const BlockSparse<T>& A, const std::string& path, const BlockWriteOptions& options) {
  const std::string name = label(path, options.argument);
  A.comm().agree_same("file to write", fmt::format("{}, symmetry {}, {} bytes at a time, of {}", name,
                                                   static_cast<int>(options.symmetry), options.chunk_bytes, meant(A)));
  require_symmetry(A, options.symmetry, name);
  const bool half = A.symmetry() != Symmetry::general;
  const std::string row_text = io::format_block_sizes(A.rows(), "sizes of block rows"),
                    col_text = io::format_block_sizes(A.cols(), "sizes of block columns");
  const auto file = [&](const std::string& at) {
    return CollectiveAtomicFile(A.comm(), at, label(at, options.argument));
  };
  CollectiveAtomicFile rows = file(path + ".rows"), cols = file(path + ".cols"), matrix = file(path);
  rows.fill(row_text), cols.fill(col_text);
  const Blocks<T>* mine = nullptr;
  Blocks<T> below;
  together(A.comm(), [&] {
    mine = &A.local();
    if (half) below = lower(A.symmetry(), *mine), mine = &below;
  });
  const Int bytes = write_matrix_market_blocks(A.comm(), matrix, *mine,
                                               of_type<T>(half ? A.symmetry() : options.symmetry), options.chunk_bytes);
  // All three are complete and on the disk: what is left is to rename them.
  rows.commit(static_cast<Int>(row_text.size())), cols.commit(static_cast<Int>(col_text.size()));
  matrix.commit(bytes);
}

#define CAIRN_INSTANTIATE(T)                                                                                         \
  template BlockSparse<T> read_block_sparse(const Comm&, const FileInfo&, BlockSizes, BlockSizes, BlockDistribution, \
                                            const ReadOptions&);                                                     \
  template BlockSparse<T> read_block_sparse(const Comm&, const FileInfo&, const ReadOptions&);                       \
  template void write_block_sparse(const BlockSparse<T>&, const std::string&, const BlockWriteOptions&);             \
  template void write_matrix_market(const BlockSparse<T>&, const std::string&, const BlockWriteOptions&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
