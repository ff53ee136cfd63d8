// Density matrices: arguments, the choice of a method, and the figures of the result.
#include "functions/density.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>

#include "api/arguments.hpp"
#include "api/block_ranks.hpp"
#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "functions/arguments.hpp"

namespace cairn {

namespace {

struct Asked {
  std::optional<Int> electrons;
  double mu = 0;
};

template <class T>
std::optional<std::string> problem_with(const BlockSparse<T>& H, const BlockSparse<T>& S, const Asked& asked,
                                        const DensityOptions& options) {
  if (auto problem = unless_same_ranks("H", H.comm(), "S", S.comm())) return problem;
  if (H.rows() != S.rows() || H.cols() != S.cols())
    return fmt::format("H: {}x{} blocks, expected the {}x{} blocks of S, of the same sizes", H.rows().size(),
                       H.cols().size(), S.rows().size(), S.cols().size());
  const bool trs4 = options.method == DensityMethod::trs4;
  if (!asked.electrons && trs4) return "method: trs4 needs a number of electrons, expected sign or mcweeny";
  if (!asked.electrons && !std::isfinite(asked.mu))
    return fmt::format("chemical potential: {}, expected a finite one", asked.mu);
  if (!asked.electrons) return {};
  const Int n = *asked.electrons;
  if (n < 0 || n > 2 * S.m() || n % 2 != 0)
    return fmt::format("electrons: {}, expected an even number from 0 to {}, two for each state", n, 2 * S.m());
  return {};
}

// As iterations are given them: S in its own unit, and H so that its largest element is not far below 1. Smaller ones
// would be lost to eps, and P with them. States have energies of H's unit over S's.
template <class T>
struct InTheirUnits {
  double of_h, of_s;
  std::optional<BlockSparse<T>> h_scaled{}, s_scaled{};

  InTheirUnits(const Products<T>& products, const BlockSparse<T>& H, const BlockSparse<T>& S)
      : of_h(std::min(unit_of(H), 1.0)), of_s(unit_of(S)) {
    const bool moves = H.where() != S.where();
    products.require(copies, [&] {
      return (moves || of_h != 1 ? words_to_make(Made::same, H, S.where()) : 0) + (of_s != 1 ? words_of(S) : 0);
    });
    if (moves) h_scaled = H.redistributed(S.where());
    if (of_h != 1) scale(h_scaled, H, of_h);
    if (of_s != 1) scale(s_scaled, S, of_s);
  }
  static void scale(std::optional<BlockSparse<T>>& scaled, const BlockSparse<T>& given, double unit) {
    if (!scaled) scaled = given;
    scaled->divide(static_cast<T>(unit));
  }
};

// One more step of McWeeny's purification, P ← 3PSP − 2PSPSP: numbers of electrons come out whole. PSP has rounding
// errors of its own, relative to ‖P‖, which is large where S is nearly singular; P stays if it is no farther off.
// Returns ‖PSP − P‖_F/‖P‖_F of before.
template <class T>
double polish(Products<T>& products, const BlockSparse<T>& S, BlockSparse<T>& P) {
  products.begin("last step", "");
  constexpr double epsilon = LimitsOf<T>::epsilon();
  const double rounding = epsilon * S.norm(Norm::gershgorin) * P.norm(Norm::gershgorin);
  const double norm = P.norm(Norm::frobenius), states = std::real(P.dot(S));
  double off = 0;
  {
    const BlockSparse<T> PS = products.product(P, S), PSP = products.product(PS, P, Symmetry::hermitian);
    const typename Products<T>::Held held(products, {&P, &PS, &PSP});
    P.scale(T(-1)), P.add(T(1), PSP);
    if (norm > 0) off = P.norm(Norm::frobenius) / norm;
    if (off > rounding) {
      P = PSP;
      products.multiply(T(-2), PS, PSP, T(3), P);
    } else {
      P.scale(T(-1)), P.add(T(1), PSP);
    }
  }
  // Of as many states a projector X has the norm √states: the residual is that of one which is as far off.
  products.note(norm > 0 ? of_projector * off * std::sqrt(states / static_cast<double>(P.m())) : 0, P);
  return off;
}

template <class T>
DensityMatrix<T> found(const BlockSparse<T>& H, const BlockSparse<T>& S, const Asked& asked,
                       const DensityOptions& options) {
  const Comm& comm = S.comm();
  require_options(comm, options);
  const DensityMethod method = options.method.value_or(asked.electrons ? DensityMethod::trs4 : DensityMethod::sign);
  comm.agree(problem_with(H, S, asked, options), "arguments of the density matrix",
             fmt::format("electrons {}, chemical potential {}, method {}", or_none(asked.electrons), asked.mu,
                         name_of(method)));
  Products<T> products(comm, options);
  const typename Products<T>::Held given(products, {&H, &S});
  const HermitianArgument<T> H_given(products, H, "H"), S_given(products, S, "S");
  const InTheirUnits<T> in(products, *H_given, *S_given);
  const BlockSparse<T>&H_half = in.h_scaled ? *in.h_scaled : *H_given, &S_half = in.s_scaled ? *in.s_scaled : *S_given;
  const double unit = in.of_h / in.of_s;

  const typename Products<T>::Held arguments(products, {&H_half, &S_half});
  const std::optional<Int> states = asked.electrons ? std::optional(*asked.electrons / 2) : std::nullopt;
  Occupied<T> occupied = method == DensityMethod::trs4
                             ? purified(products, H_half, S_half, *states)
                             : occupied_below(products, method, H_half, S_half, states, asked.mu, unit);
  DensityMatrix<T> result{std::move(occupied.P)};
  result.method = method, result.chemical_potential = unit * occupied.chemical_potential;
  result.idempotency = polish(products, S_half, result.P);
  BlockSparse<T>& P = result.P;
  P.scale(T(2));
  result.electrons = std::real(P.dot(S_half)), result.band_energy = unit * std::real(P.dot(H_half));
  if (asked.electrons && std::abs(result.electrons - static_cast<double>(*asked.electrons)) > 0.5)
    throw ConvergenceError(
        fmt::format("electrons: {}, but the density matrix has {:.6g}: eps {} is too large, or there is "
                    "no gap above so many",
                    *asked.electrons, result.electrons, options.eps));
  result.iterations = products.take();
  if (in.of_s != 1) take_unit(P, in.of_s);
  P = S_given.as_given(std::move(P));
  return result;
}

}  // namespace

const char* name_of(DensityMethod method) {
  switch (method) {
    case DensityMethod::sign: return "sign";
    case DensityMethod::mcweeny: return "mcweeny";
    default: return "trs4";
  }
}

std::optional<DensityMethod> density_method_named(std::string_view name) {
  for (DensityMethod method : {DensityMethod::sign, DensityMethod::mcweeny, DensityMethod::trs4})
    if (name == name_of(method)) return method;
  return {};
}

template <class T>
Spectrum spectrum_of(const BlockSparse<T>& A) {
  const auto [low, high] = A.gershgorin();
  const double margin = 0.01 * (high - low) + 1e-6 * std::max(1.0, std::max(std::abs(low), std::abs(high)));
  return {low - margin, high + margin};
}

template <class T>
DensityMatrix<T> density_matrix(const BlockSparse<T>& H, const BlockSparse<T>& S, Electrons electrons,
                                const DensityOptions& options) {
  return found(H, S, {electrons.count, 0}, options);
}
template <class T>
DensityMatrix<T> density_matrix(const BlockSparse<T>& H, const BlockSparse<T>& S, ChemicalPotential mu,
                                const DensityOptions& options) {
  return found(H, S, {std::nullopt, mu.energy}, options);
}

#define CAIRN_INSTANTIATE(T)                                                                                \
  template Spectrum spectrum_of(const BlockSparse<T>&);                                                     \
  template DensityMatrix<T> density_matrix(const BlockSparse<T>&, const BlockSparse<T>&, Electrons,         \
                                           const DensityOptions&);                                          \
  template DensityMatrix<T> density_matrix(const BlockSparse<T>&, const BlockSparse<T>&, ChemicalPotential, \
                                           const DensityOptions&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
