// The arguments of a product of block-sparse matrices, which are the same on all ranks.
#pragma once
#include "cairn/block_sparse.hpp"

namespace cairn {

/// Throws ArgumentError on every rank if a rank's arguments are no product, or if ranks differ in them. Collective.
template <class T>
void agree_on_product(Op op_a, Op op_b, T alpha, const BlockSparse<T>& A, const BlockSparse<T>& B, T beta,
                      const BlockSparse<T>& C, const BlockProductOptions& options);

}  // namespace cairn
