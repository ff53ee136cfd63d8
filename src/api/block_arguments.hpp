// What block-sparse matrices are made of: right on every rank, and the same on all.
#pragma once
#include <fmt/format.h>

#include <optional>
#include <string>

#include "base/scalars.hpp"
#include "cairn/block_sparse.hpp"
#include "runtime/agreed_errors.hpp"

namespace cairn {

class Comm;

/// Throws ArgumentError on every rank if the arguments of any rank make no block-sparse matrix, or if they differ
/// between ranks; then it says in words which number is another one. Collective, one reduction if all is well.
void agree_on_blocks(const Comm& comm, const BlockSizes& rows, const BlockSizes& cols, const BlockDistribution& where,
                     Symmetry symmetry, ScalarType type);

/// What ranks that mean the same matrix have in common, its sizes, distribution, symmetry and type: a text for
/// Comm::agree.
std::string meant(const BlockSizes& rows, const BlockSizes& cols, const BlockDistribution& where, Symmetry symmetry);
template <class T>
std::string meant(const BlockSparse<T>& A) {
  return meant(A.rows(), A.cols(), A.where(), A.symmetry()) + ", elements " + std::string(name_of(scalar_type_of<T>));
}

/// This rank's blocks. Those that were stored one by one get into their rows first, on all ranks or on none.
/// Collective.
template <class Matrix>
const auto& settled(const Matrix& A) {
  together(A.comm(), [&] { A.local(); });
  return A.local();
}

/// What is wrong with a matrix that has to be square, cut in the same way into rows and columns of blocks.
template <class Matrix>
std::optional<std::string> unless_square(const char* name, const Matrix& A) {
  if (A.rows() == A.cols()) return {};
  return fmt::format("{}: {}x{} in {}x{} blocks, expected a square matrix with the same blocks in its rows and columns",
                     name, A.m(), A.n(), A.rows().size(), A.cols().size());
}

/// f(i, j, x, expected) for each element x of block (i, j) and what its mirror image makes of it in a matrix with that
/// symmetry, of the blocks of this rank that A or its transpose stores; what is not stored is 0. A itself is stored
/// without a symmetry. Collective.
template <class T, class F>
void for_each_mirrored(Symmetry symmetry, const BlockSparse<T>& A, F f) {
  const BlockSparse<T> image = A.transposed().redistributed(A.where());
  A.for_each([&](BlockIndex i, BlockIndex j, const MatrixView<const T>& x) {
    const MatrixView<const T> y = image.find(i, j);
    for (Int w = 0; w < x.rows * x.cols; ++w) f(i, j, x.data[w], y.data ? mirrored(symmetry, y.data[w]) : T(0));
  });
  image.for_each([&](BlockIndex i, BlockIndex j, const MatrixView<const T>& y) {
    if (A.find(i, j).data) return;
    for (Int w = 0; w < y.rows * y.cols; ++w) f(i, j, T(0), mirrored(symmetry, y.data[w]));
  });
}

/// All blocks, of which there are as many as sizes.
inline BlockRange all_blocks(const BlockSizes& sizes) { return {0, static_cast<BlockIndex>(sizes.size())}; }

/// What is wrong with a range of blocks, of which there are as many as sizes. No range is right.
std::optional<std::string> unless_within(const char* what, const std::optional<BlockRange>& range,
                                         const BlockSizes& sizes);

}  // namespace cairn
