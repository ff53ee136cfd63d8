// Plans of products of block-sparse matrices that are there, from their patterns.
// Element types: float, double, std::complex<float>, std::complex<double>.
#pragma once
#include "cairn/block_plan.hpp"
#include "cairn/block_sparse.hpp"

namespace cairn {

/// What multiply() with the same arguments will do, on C's grid: the algorithm, the number of layers and the transport,
/// what ranks will receive and hold, before and during the product, and by how much other numbers of layers are worse.
/// Words of A and B are exact, where panels of them travel as a whole; sums of C, indices, flops, memory and time are
/// expected ones, as if blocks of each panel were anywhere in it, no product was filtered, and C did not retain its
/// sparsity. The algorithm may be another where the clock finds two about as fast, and panels are messages where MPI
/// has no memory for windows. Times are those of the machine that plan() assumes without a name. Nothing of A, B and C
/// is copied or moved. Collective. Throws as multiply(), and ArgumentError on every rank if alpha is 0, or if the
/// machine is unknown on any.
template <class T>
BlockPlan plan(Op op_a, Op op_b, T alpha, const BlockSparse<T>& A, const BlockSparse<T>& B, T beta,
               const BlockSparse<T>& C, const BlockProductOptions& options = {});

}  // namespace cairn
