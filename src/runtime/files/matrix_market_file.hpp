// Matrix Market files: each rank parses a slice of the text, and entries travel to their owners.
#pragma once
#include "cairn/blocks.hpp"
#include "cairn/comm.hpp"
#include "cairn/files.hpp"
#include "io/matrix_market.hpp"

namespace cairn {

/// Adds the file's entries to `matrix`, dense and zero before. Collective; errors are the same on all ranks.
template <class T>
void read_matrix_market(const Comm& comm, const FileInfo& file, const io::MatrixMarketHeader& header,
                        const DistMatrix<T>& matrix, const ReadOptions& options);

/// The blocks of this rank, in which the file has an element; `none` is a matrix of the file's sizes. What an array
/// file says is zero is not stored. `upper`: only those (i, j) with i <= j. Collective; errors are the same on all
/// ranks.
template <class T>
Blocks<T> read_matrix_market_blocks(const Comm& comm, const FileInfo& file, const io::MatrixMarketHeader& header,
                                    const Blocks<T>& none, const BlockDistribution& where, bool upper,
                                    const ReadOptions& options);

}  // namespace cairn
