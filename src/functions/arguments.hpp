// What functions of matrices expect of their arguments.
#pragma once
#include <cstdint>
#include <optional>

#include "functions/products.hpp"

namespace cairn {

/// What errors call them if there is too little memory.
constexpr const char* copies = "copies of the arguments";

/// Each throws ArgumentError on all ranks if a rank's argument is wrong, or differs where it must not.
void require_options(const Comm& comm, const FunctionOptions& options);
/// In the same blocks in rows and columns, and finite.
template <class T>
void require_square(const BlockSparse<T>& A, const char* name);

/// The power of two next to the largest element, 1 for a matrix of zeros. In this unit eps means the same for matrices
/// that differ by a factor. To be divided by: the inverse of one that is not a normal number is infinite.
template <class T>
double unit_of(const BlockSparse<T>& A);
/// Divides a result by a unit of S. Throws ConvergenceError if an element of it becomes infinite.
template <class T>
void take_unit(BlockSparse<T>& X, double unit);

/// A matrix that has to be Hermitian, stored so: it, or a copy.
template <class T>
class HermitianArgument {
 public:
  /// Of a matrix that is held. Throws the same way also unless it is Hermitian, up to the square root of rounding
  /// errors, and MemoryError on all ranks unless a copy fits.
  HermitianArgument(Products<T>& products, const BlockSparse<T>& A, const char* name);
  HermitianArgument(const HermitianArgument&) = delete;
  HermitianArgument& operator=(const HermitianArgument&) = delete;

  const BlockSparse<T>& operator*() const { return copy_ ? *copy_ : given_; }
  const BlockSparse<T>* operator->() const { return &**this; }
  /// A Hermitian result: with all blocks if the argument was given so, else as it is. Throws MemoryError on all ranks
  /// unless that fits.
  BlockSparse<T> as_given(BlockSparse<T> result) const;

 private:
  const Products<T>& products_;
  const BlockSparse<T>& given_;
  const std::optional<BlockSparse<T>> copy_;
  const typename Products<T>::Held held_;
};

/// Which of a matrix's blocks are made anew: themselves, their mirror images, or both.
enum class Made : std::uint8_t { same, images, both };
/// Words of this rank that come with them while they go to the ranks of a distribution, beside the matrix itself.
/// Collective.
template <class T>
Int words_to_make(Made made, const BlockSparse<T>& A, const BlockDistribution& where);

}  // namespace cairn
