// Inverse, inverse square root and sign as parts of a longer computation, of arguments that are known to be right.
#pragma once
#include "functions/products.hpp"

namespace cairn {

template <class T>
BlockSparse<T> inverse_of(Products<T>& products, const BlockSparse<T>& S);
template <class T>
BlockSparse<T> inverse_sqrt_of(Products<T>& products, const BlockSparse<T>& S);
/// A becomes its sign, or the last iterate if no iteration is left. If it does not converge, `expected` says what may
/// be wrong.
template <class T>
void to_sign(Products<T>& products, BlockSparse<T>& A, const char* expected);

}  // namespace cairn
