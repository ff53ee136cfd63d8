// What is done to the blocks of one matrix.
#pragma once
#include <vector>

#include "runtime/sparse/blocks_view.hpp"

namespace cairn {

/// Frobenius norms of the blocks, in the order of `cols`.
template <class T>
std::vector<double> norms(const BlocksView<T>& A);
template <class T>
std::vector<double> norms(const Blocks<T>& A) {
  return norms(BlocksView<T>(A));
}

/// The transpose, of the conjugate if asked for. Its values come in the order of its rows.
template <class T>
Blocks<T> transposed(const BlocksView<T>& A, bool conjugate);
template <class T>
Blocks<T> transposed(const Blocks<T>& A, bool conjugate) {
  return transposed(BlocksView<T>(A), conjugate);
}

/// The blocks in these rows and columns, where they are.
BlockPattern within(const BlockPattern& A, BlockRange rows, BlockRange cols);

/// The blocks in these rows and columns, or all others. Their values come in the order of rows.
template <class T>
Blocks<T> cropped(const Blocks<T>& A, BlockRange rows, BlockRange cols, bool others = false);

/// Drops the blocks whose Frobenius norm is less than eps; never those with NaN. Values then come in the order of rows.
template <class T>
void filter(Blocks<T>& A, double eps);

}  // namespace cairn
