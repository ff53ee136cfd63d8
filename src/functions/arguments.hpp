// What functions of matrices expect of their arguments.
#pragma once
#include <optional>
#include <string>

#include "cairn/matrix_functions.hpp"

namespace cairn {

/// Each throws ArgumentError on all ranks if a rank's argument is wrong, or differs where it must not.
void require_options(const Comm& comm, const FunctionOptions& options);
/// In the same blocks in rows and columns, and finite.
template <class T>
void require_square(const BlockSparse<T>& A, const char* name);

/// A matrix that has to be Hermitian, stored so: it, or a copy.
template <class T>
class HermitianArgument {
 public:
  /// Throws the same way also unless it is Hermitian, up to the square root of rounding errors.
  HermitianArgument(const BlockSparse<T>& A, const char* name);
  HermitianArgument(const HermitianArgument&) = delete;
  HermitianArgument& operator=(const HermitianArgument&) = delete;

  const BlockSparse<T>& operator*() const { return copy_ ? *copy_ : given_; }
  const BlockSparse<T>* operator->() const { return &**this; }
  /// A Hermitian result as the argument was given: with all blocks, or not.
  BlockSparse<T> as_given(BlockSparse<T> result) const { return copy_ ? result.stored_as(given_.symmetry()) : result; }

 private:
  const BlockSparse<T>& given_;
  std::optional<BlockSparse<T>> copy_;
};

}  // namespace cairn
