// A block-sparse matrix of any element type.
#pragma once
#include "cairn/block_sparse.hpp"
#include "parts.hpp"

namespace cairn::python {

using Scalar = std::complex<double>;

struct Sparse {
  OfAnyType<BlockSparse> matrix;
};

/// Python has found it to be real where T is.
template <class T>
T real_or_complex(Scalar value) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(value.real());
  else
    return T(value);
}

}  // namespace cairn::python
