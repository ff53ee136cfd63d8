// Inverse, inverse square root and sign: each finds how far its iterate is off, E, and multiplies it with a power
// series of E, cut off after as many terms as the iteration's order.
#include "functions/iterations.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/scalars.hpp"
#include "functions/arguments.hpp"
#include "local/sparse/symmetry.hpp"

namespace cairn {

namespace {

// Of (1 − x)^(-1): 1.
double of_inverse(int) { return 1; }
// Of (1 − x)^(-½): (2k)! / (4ᵏ·k!²).
double of_inverse_sqrt(int k) {
  double c = 1;
  for (int i = 1; i <= k; ++i) c *= (2.0 * i - 1) / (2.0 * i);
  return c;
}

template <class T>
BlockSparse<T> nothing_like(const BlockSparse<T>& A, Symmetry symmetry) {
  return {A.comm(), A.rows(), A.cols(), A.where(), symmetry};
}

// c(1)·E + c(2)·E² + …, without the 1 in front of it, by Horner's scheme.
template <class T, class Coefficient>
BlockSparse<T> series(Products<T>& products, const BlockSparse<T>& E, Coefficient c) {
  const int last = products.options().order - 1;
  products.require("a series", [&] { return (last > 1 ? 2 : 1) * words_of(E); });
  BlockSparse<T> sum = E, next = nothing_like(E, E.symmetry());
  const typename Products<T>::Held held(products, {&sum, &next});
  sum.scale(static_cast<T>(c(last)));
  for (int k = last - 1; k >= 1; --k) {
    next = E;
    products.multiply(T(1), E, sum, static_cast<T>(c(k)), next);
    std::swap(sum, next);
  }
  return sum;
}

// E = 1 − A·B; how large that is. If both are Hermitian then E is, as far as they commute.
template <class T>
Residual off_one(Products<T>& products, const BlockSparse<T>& A, const BlockSparse<T>& B, BlockSparse<T>& E) {
  products.multiply(T(1), A, B, T(0), E);
  E.scale(T(-1));
  E.add_to_diagonal(T(1));
  return products.residual_of(E);
}

template <class T>
BlockSparse<T> identity_like(const BlockSparse<T>& A, double factor) {
  BlockSparse<T> X = nothing_like(A, A.symmetry());
  X.add_to_diagonal(static_cast<T>(factor));
  return X;
}
template <class T>
Growth growth_of(const BlockSparse<T>& X) {
  return X.symmetry() == of_type<T>(Symmetry::hermitian) ? Growth::none : Growth::at_first;
}
// X += A·B, where A or B may be X, by way of `next`.
template <class T>
void add_product(Products<T>& products, BlockSparse<T>& X, const BlockSparse<T>& A, const BlockSparse<T>& B,
                 BlockSparse<T>& next) {
  next = X;
  products.multiply(T(1), A, B, T(1), next);
  std::swap(X, next);
}
// Of this rank's blocks on the diagonal.
template <class T>
Int diagonal_words(const BlockSparse<T>& A) {
  Int words = 0;
  for (BlockIndex i = 0; i < static_cast<BlockIndex>(A.rows().size()); ++i)
    if (const Int n = A.rows()[static_cast<std::size_t>(i)]; A.here(i, i)) words += n * n;
  return words;
}
constexpr const char* iterates = "the first iterates";
// Of a matrix that is to be positive definite, by which iterations divide.
template <class T>
double norm_of(const Products<T>& products, const BlockSparse<T>& S) {
  const double norm = S.norm(Norm::gershgorin);
  products.require_nonzero(norm, S);
  return norm;
}
// The diagonal of the inverse of a positive definite matrix, or of its square root, is not zero. Where the filter drops
// a block of it, no iteration brings it back, and one that has converged has lost it since.
template <class T>
void require_diagonal(const Products<T>& products, const BlockSparse<T>& X) {
  Int there = 0, all = 0;
  for (BlockIndex i = 0; i < static_cast<BlockIndex>(X.rows().size()); ++i)
    if (X.here(i, i) && X.rows()[static_cast<std::size_t>(i)] > 0) ++all, there += X.find(i, i).data ? 1 : 0;
  products.require_kept(there, all);
}
// (X + Xᴴ)/2, of which half is stored.
template <class T>
BlockSparse<T> hermitian_part(BlockSparse<T> X) {
  X.add(T(1), X.transposed(Op::adjoint));
  X.scale(T(0.5));
  return X.stored_as(Symmetry::hermitian);
}

}  // namespace

// Half of X is enough unless S is nearly singular. X·E is Hermitian but for what rounding errors add to E, which a
// whole X would take away again: S·X·E is as small as E is. In the mirror image of a half they come from the other
// side, and grow with the condition of S. Where that holds the iteration up, X goes on with all blocks.
template <class T>
BlockSparse<T> inverse_of(Products<T>& products, const BlockSparse<T>& S) {
  products.begin("inverse", "S to be positive definite");
  const double norm = norm_of(products, S);
  products.require(iterates, [&] { return 2 * diagonal_words(S); });
  BlockSparse<T> X = identity_like(S, 1 / norm), E = nothing_like(S, Symmetry::general), next = X;
  const typename Products<T>::Held held(products, {&S, &X, &E, &next});
  for (;;) {
    const Residual residual = off_one(products, S, X, E);
    const BlockSparse<T> W = series(products, E, of_inverse);
    add_product(products, X, X, W, next);
    const bool done = products.converged(residual, X), whole = X.symmetry() == Symmetry::general;
    require_diagonal(products, X);
    if (done && !whole) return X;
    const bool grows = !whole && products.stagnates();
    if (done || grows)
      products.require("the inverse with all its blocks",
                       [&] { return words_to_make(whole ? Made::images : Made::both, X, X.where()); });
    if (done) return hermitian_part(std::move(X));
    if (grows) X = X.expanded();
  }
}

// Y and Z are Hermitian. E is so only as far as they commute: what filters do to Y·Z − Z·Y has to stay in it, since
// without that the iteration is unstable where eigenvalues of S differ by more than a factor of 3 + √8, squared.
template <class T>
BlockSparse<T> inverse_sqrt_of(Products<T>& products, const BlockSparse<T>& S) {
  products.begin("inverse square root", "S to be positive definite");
  const double norm = norm_of(products, S);
  products.require(iterates, [&] { return words_of(S) + 2 * diagonal_words(S); });
  BlockSparse<T> Y = S, Z = identity_like(S, 1), E = nothing_like(S, Symmetry::general),
                 next = Z;  // Y → (S/‖S‖)^½, Z → (S/‖S‖)^(-½)
  Y.scale(static_cast<T>(1 / norm));
  const typename Products<T>::Held held(products, {&S, &Y, &Z, &E, &next});
  for (;;) {
    const Residual residual = off_one(products, Z, Y, E);
    const BlockSparse<T> W = series(products, E, of_inverse_sqrt);
    add_product(products, Y, Y, W, next);
    add_product(products, Z, W, Z, next);
    const bool done = products.converged(residual, Z);
    require_diagonal(products, Z);
    if (done) break;
    require_diagonal(products, Y);
  }
  Z.scale(static_cast<T>(1 / std::sqrt(norm)));
  return Z;
}

template <class T>
void to_sign(Products<T>& products, BlockSparse<T>& X, const char* expected) {
  products.begin("sign", expected, growth_of(X));
  // By the largest element first: a sum of squares would overflow, or vanish, long before the elements do.
  constexpr double representable = LimitsOf<T>::max();
  if (const double most = X.norm(Norm::max); most > 0) X.divide(static_cast<T>(std::min(most, representable)));
  const double norm = std::min(X.norm(Norm::frobenius), X.norm(Norm::gershgorin));
  if (norm > 0) X.scale(static_cast<T>(1 / norm));
  const typename Products<T>::Held of_x(products, {&X});
  products.require(iterates, [&] { return 2 * words_of(X); });
  BlockSparse<T> E = X, next = X;
  const typename Products<T>::Held held(products, {&E, &next});
  for (;;) {
    const Residual residual = off_one(products, X, X, E);
    const BlockSparse<T> W = series(products, E, of_inverse_sqrt);
    add_product(products, X, X, W, next);
    if (products.converged(residual, X)) return;
  }
}

namespace {

// `of`(products, S) with S in its unit, stored as Hermitian, for one that is stored in any way; that of S is `of` over
// this power of the unit.
template <class T, class F>
Iterated<T> of_hermitian(const BlockSparse<T>& S, const FunctionOptions& options, double power, F of) {
  require_options(S.comm(), options);
  Products<T> products(S.comm(), options);
  const typename Products<T>::Held argument(products, {&S});
  const HermitianArgument<T> given(products, S, "S");
  const double unit = unit_of(*given);
  const auto of_scaled = [&] {
    if (unit == 1) return of(products, *given);
    products.require(copies, [&] { return words_of(*given); });
    BlockSparse<T> scaled = *given;
    scaled.divide(static_cast<T>(unit));
    const typename Products<T>::Held copy(products, {&scaled});
    return of(products, scaled);
  };
  BlockSparse<T> X = of_scaled();
  take_unit(X, std::pow(unit, power));
  return {given.as_given(std::move(X)), products.take()};
}

}  // namespace

template <class T>
Iterated<T> inverse(const BlockSparse<T>& S, const FunctionOptions& options) {
  return of_hermitian(S, options, 1, inverse_of<T>);
}

template <class T>
Iterated<T> inverse_sqrt(const BlockSparse<T>& S, const FunctionOptions& options) {
  return of_hermitian(S, options, 0.5, inverse_sqrt_of<T>);
}

template <class T>
Iterated<T> sign(const BlockSparse<T>& A, const FunctionOptions& options) {
  require_options(A.comm(), options), require_square(A, "A");
  Products<T> products(A.comm(), options);
  const typename Products<T>::Held argument(products, {&A});
  const bool expands = A.symmetry() == Symmetry::antisymmetric;  // the square of one is not another
  products.require(copies, [&] { return words_to_make(expands ? Made::both : Made::same, A, A.where()); });
  BlockSparse<T> X = expands ? A.expanded() : A;
  to_sign(products, X, "real eigenvalues, none of them zero");
  return {std::move(X), products.take()};
}

#define CAIRN_INSTANTIATE(T)                                                        \
  template BlockSparse<T> inverse_of(Products<T>&, const BlockSparse<T>&);          \
  template BlockSparse<T> inverse_sqrt_of(Products<T>&, const BlockSparse<T>&);     \
  template void to_sign(Products<T>&, BlockSparse<T>&, const char*);                \
  template Iterated<T> inverse(const BlockSparse<T>&, const FunctionOptions&);      \
  template Iterated<T> inverse_sqrt(const BlockSparse<T>&, const FunctionOptions&); \
  template Iterated<T> sign(const BlockSparse<T>&, const FunctionOptions&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
