// A right-looking Cholesky factorisation of a block-cyclic matrix, and matrices of which the factor is known: small, to
// show that schedules express it. Not a registered algorithm.
#pragma once
#include "interpret/reference.hpp"
#include "problem.hpp"
#include "schedule/builder.hpp"

namespace cairn::testing {

struct CholeskyCase {
  Int n, b, pr, pc;
  Uplo triangle;
};
inline const std::vector<CholeskyCase> cholesky_cases{
    {0, 4, 2, 2, Uplo::lower},  {1, 4, 2, 2, Uplo::upper},  {7, 3, 1, 1, Uplo::lower},   {16, 4, 2, 2, Uplo::lower},
    {16, 4, 2, 2, Uplo::upper}, {23, 3, 2, 3, Uplo::lower}, {29, 4, 3, 2, Uplo::upper},  {31, 2, 4, 2, Uplo::lower},
    {40, 7, 1, 4, Uplo::lower}, {37, 5, 4, 1, Uplo::upper}, {200, 90, 2, 1, Uplo::lower}};

/// Panel by panel: the diagonal block is factored, the panel beside it solved, and what is left updated by it.
inline Schedule cholesky(const CholeskyCase& c, Int ranks) {
  Builder s("cholesky", Factorise{c.n, c.triangle}, Grid({{"i", c.pr}, {"j", c.pc}}), ranks);
  const auto by = [&](int axis) {
    return Cut{Cut::Kind::cyclic, s.grid().extent(axis), Affine::along(axis), c.b, c.b, {}};
  };
  const Range N{0, c.n};
  const Slot A = s.in_place("A", s.layout(N, {by(0)}, N, {by(1)}, Order::col), c.triangle);
  const bool lower = c.triangle == Uplo::lower;
  // The panel lies along axis `down`, and on one coordinate of axis `across`.
  const int down = lower ? 0 : 1, across = 1 - down;
  for (Int k = 0; k < c.n; k += c.b) {
    const Range K{k, std::min(c.n, k + c.b)}, R{K.hi, c.n};
    const Int root[] = {k / c.b % c.pr, k / c.b % c.pc};
    const Slot A11 = s.part(A, K, K, {{0, root[0]}, {1, root[1]}});
    s.potrf(A11);
    if (R.empty()) break;
    const Part rest = Part::within(R);
    const Slot L11 = s.bcast(A11, down, root[down]);
    const Slot panel =
        lower ? s.part(A, rest, K, {{across, root[across]}}) : s.part(A, K, rest, {{across, root[across]}});
    s.trsm(lower ? Compute::Side::right : Compute::Side::left, L11, Op::adjoint, panel);
    const Slot P = s.bcast(panel, across, root[across]), all = s.all_gather(P, down);
    const Slot A22 = s.part(A, rest, rest);
    if (lower)
      s.update(Factor::minus_one, P, Op::none, s.copy(all, s.layout(A22).cols, K), Op::adjoint, A22);
    else
      s.update(Factor::minus_one, s.copy(all, K, s.layout(A22).rows), Op::adjoint, P, Op::none, A22);
  }
  return s.done();
}

/// Additions and multiplications of all ranks together, by the same panels.
inline Int cholesky_flops(const CholeskyCase& c) {
  Int sum = 0;
  for (Int k = 0; k < c.n; k += c.b) {
    const Int b = std::min(c.b, c.n - k), rest = c.n - k - b;
    sum += b * (b + 1) * (2 * b + 1) / 6 + b * b * rest + b * rest * (rest + 1);
  }
  return sum;
}

/// Element (i, j) of L, small integers with powers of two on the diagonal: no step of its computation rounds.
template <class T>
T factor_element(Int i, Int j) {
  if (i == j) return static_cast<T>(Int{1} << (i % 3));
  const auto re = static_cast<double>((i * 7 + j * 5) % 5 - 2), im = static_cast<double>((i + 3 * j) % 3 - 1);
  if constexpr (std::is_same_v<T, std::complex<double>>) return {re, im};
  return static_cast<T>(re + 0 * im);
}

/// Element (i, j) of L·Lᴴ.
template <class T>
T factored_element(Int i, Int j) {
  T sum{};
  for (Int k = 0; k <= std::min(i, j); ++k) {
    const T a = factor_element<T>(i, k), b = factor_element<T>(j, k);
    if constexpr (std::is_same_v<T, std::complex<double>>)
      sum += a * std::conj(b);
    else
      sum += a * b;
  }
  return sum;
}

}  // namespace cairn::testing
