// What commands share that read block-sparse matrices from files, compute with them on several ranks, and write one.
#pragma once
#include <optional>
#include <string>

#include "cairn/block_files.hpp"
#include "file_run.hpp"

namespace cairn::app {

struct BlockArguments {
  std::string output;  ///< no output: nothing is written
  std::string blocks;  ///< as parse_block_sizes takes them; empty: files know them
  std::string type, memory;
  int ranks = 0;  ///< 0: not said
  bool json = false;
};
/// `output` says what is written, `known` where block sizes are known otherwise.
void add_block_options(CLI::App& command, BlockArguments& arguments, const std::string& output,
                       const std::string& known);

/// As asked for, or those that the file knows.
BlockShape blocks_of(const Comm& world, const FileInfo& file, const std::string& asked);
/// Of rows and of columns; throws ArgumentError if they differ.
BlockSizes square_blocks_of(const Comm& world, const FileInfo& file, const std::string& asked);
/// Throws ArgumentError or FileError unless an m × n matrix could be written. Collective.
void require_block_output(const Comm& world, const std::string& path, ScalarType type, Int m, Int n);
/// Throws ArgumentError if there is no such amount, which is none where `memory` is empty.
std::optional<Int> memory_words(const BlockArguments& arguments, ScalarType type);

inline BlockDistribution dealt(const Comm& world, const BlockShape& blocks) {
  return BlockDistribution::dealt(blocks.rows.size(), blocks.cols.size(), world.size());
}

template <class T>
BlockSparse<T> read_blocks(const Comm& world, const FileInfo& file, const BlockShape& blocks,
                           const BlockDistribution& where) {
  return read_block_sparse<T>(world, file, blocks.rows, blocks.cols, where, {.keep_symmetry = true});
}
template <class T>
BlockSparse<T> read_blocks(const Comm& world, const FileInfo& file, const BlockShape& blocks) {
  return read_blocks<T>(world, file, blocks, dealt(world, blocks));
}

/// As .cbs, .mtx or .npy; as Matrix Market, one triangle of a matrix that is `symmetry`.
template <class T>
void write_blocks(const Comm& world, const BlockSparse<T>& X, const std::string& path, Symmetry symmetry) {
  if (path.ends_with(".npy")) write_npy(world, path, X.to_dense(), {.argument = "-o"});
  if (path.ends_with(".mtx")) write_matrix_market(X, path, {.symmetry = symmetry, .argument = "-o"});
  if (path.ends_with(".cbs")) write_block_sparse(X, path, {.argument = "-o"});
}

/// What `compute` returns; a MemoryError names what was typed.
template <class Compute>
auto within_memory(const BlockArguments& arguments, const Compute& compute) {
  try {
    return compute();
  } catch (const MemoryError& e) {
    throw MemoryError(fmt::format("--memory {}: {}", arguments.memory, unnamed(e)));
  }
}

/// 10⁹ real operations that so many flops are, which count 2 for each product of two elements.
inline double giga_operations(double flops, ScalarType type) { return 1e-9 * flops * real_operations(type); }
/// How full a matrix is; how many blocks of which sizes.
std::string percent_in_blocks(double share);
std::string blocks_text(const BlockSizes& sizes);

}  // namespace cairn::app
