// Block-sparse matrices that are symmetric, antisymmetric or Hermitian, for tests.
#pragma once
#include "block_sparse.hpp"

namespace cairn::testing {

/// What the element at (j, i) is, of a matrix that has x at (i, j).
template <class T>
T image(Symmetry symmetry, T x) {
  if (symmetry == Symmetry::antisymmetric) return -x;
  return symmetry == Symmetry::hermitian ? conjugated(x) : x;
}

/// All blocks of such a matrix: x plus its mirror image, of small integers.
template <class T>
Whole<T> some_symmetric_blocks(Symmetry symmetry, BlockSizes sizes, std::uint64_t percent, std::uint64_t seed) {
  Whole<T> x = some_blocks<T>(sizes, sizes, percent, seed);
  if (symmetry == Symmetry::general) return x;
  const Op op = symmetry == Symmetry::hermitian ? Op::adjoint : Op::transpose;
  for (const auto& [place, block] : transposed(x, op).blocks) {
    std::vector<T>& sum = x.at(place.first, place.second);
    for (std::size_t w = 0; w < block.size(); ++w)
      sum[w] = symmetry == Symmetry::antisymmetric ? sum[w] - block[w] : sum[w] + block[w];
  }
  return x;
}

/// The blocks (i, j) with i <= j.
template <class T>
Whole<T> upper(Whole<T> x) {
  std::erase_if(x.blocks, [](const auto& block) { return block.first.first > block.first.second; });
  return x;
}

/// Those that a matrix of that symmetry stores, of a whole one.
template <class T>
Whole<T> stored(Symmetry symmetry, const Whole<T>& x) {
  return symmetry == Symmetry::general ? x : upper(x);
}

template <class T>
BlockSparse<T> distributed(const Comm& comm, const Whole<T>& x, BlockDistribution where, Symmetry symmetry) {
  BlockSparse<T> all(comm, x.rows, x.cols, std::move(where), symmetry);
  for (const auto& [place, block] : x.blocks)
    if (all.here(place.first, place.second)) all.put(place.first, place.second, block.data());
  return all;
}

}  // namespace cairn::testing
