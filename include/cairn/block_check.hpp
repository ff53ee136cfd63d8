// Is a product of block-sparse matrices right? The test of check.hpp, in as many operations as the matrices have
// elements.
#pragma once
#include "cairn/block_sparse.hpp"
#include "cairn/check.hpp"

namespace cairn {

/// Freivalds' test of C = alpha·op(A)·op(B) + beta·C0, of which products and blocks may have been left out as
/// BlockProductOptions::filter_eps says, but not by a retained pattern or by limits. What may be missing in a row of C
/// adds to the threshold of freivalds(): 2·filter_eps·√w for every block column of w columns. The matrices are on the
/// same ranks, distributed in any ways, and may have symmetries; A and B are those before the product, if C was one of
/// them. `C0` may be null if beta is 0. Throws ArgumentError on every rank if sizes do not fit, ranks differ in their
/// arguments, matrices are on other ranks, `rounds` is below 1, or filter_eps is negative or NaN. Collective.
template <class T>
CheckResult freivalds(Op op_a, Op op_b, T alpha, const BlockSparse<T>& A, const BlockSparse<T>& B, T beta,
                      const BlockSparse<T>* C0, const BlockSparse<T>& C, double filter_eps = 0, int rounds = 8);

}  // namespace cairn
