// Block-sparse matrices from and to rows of single elements, compressed (CSR), as other libraries have them.
// Collective, and with the same error on all ranks or none.
#pragma once
#include <span>
#include <vector>

#include "cairn/block_sparse.hpp"

namespace cairn {

/// Consecutive rows of a matrix, compressed. Indices are those of the whole matrix, from 0, and pointers have 64 bits.
template <class T>
struct CsrView {
  Range rows;
  std::span<const Int> first;  ///< elements of row rows.lo + i are those from first[i] to before first[i + 1]
  std::span<const Int> cols;   ///< of each element, in any order in a row
  std::span<const T> values;
};

template <class T>
struct CsrRows {
  Range rows;
  std::vector<Int> first{0};
  std::vector<Int> cols;  ///< ascending in a row
  std::vector<T> values;
  CsrView<T> view() const { return {rows, first, cols, values}; }
};

struct CsrOptions {
  /// Whether to_csr leaves out elements that are zero; otherwise all elements of blocks that are stored are there.
  bool drop_zeros = false;
  /// Bytes of elements that a rank sends at a time.
  Int chunk_bytes = Int{16} << 20;
};

/// The matrix of which each rank gives rows, any or none: a block is stored if one of its elements is given, and
/// elements that are given several times are summed. Throws ArgumentError if pointers do not ascend, numbers of
/// elements differ, or a row or column is outside, and as BlockSparse's constructor does.
template <class T>
BlockSparse<T> from_csr(const Comm& comm, const CsrView<T>& mine, BlockSizes rows, BlockSizes cols,
                        BlockDistribution where, const CsrOptions& options = {});

/// The rows that this rank asks for. Throws ArgumentError if a row is outside, two ranks ask for the same one, or they
/// differ in whether zeros are left out.
template <class T>
CsrRows<T> to_csr(const BlockSparse<T>& matrix, Range rows, const CsrOptions& options = {});

}  // namespace cairn
