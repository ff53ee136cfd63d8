// The ways to a density matrix, of arguments that are known to be right.
#pragma once
#include "functions/products.hpp"

namespace cairn {

/// All energies of a generalised eigenvalue problem lie within, those at the ends a little inside.
struct Spectrum {
  double low = 0, high = 0;
  double width() const { return high - low; }
  double middle() const { return low + width() / 2; }
};
/// Of a matrix with real eigenvalues, by Gershgorin's circles.
template <class T>
Spectrum spectrum_of(const BlockSparse<T>& A);

/// P and the chemical potential that it belongs to.
template <class T>
struct Occupied {
  BlockSparse<T> P;
  double chemical_potential = 0;
};

/// Trace-resetting purification of fourth order: the lowest `states` states are occupied.
template <class T>
Occupied<T> purified(Products<T>& products, const BlockSparse<T>& H, const BlockSparse<T>& S, Int states);

/// By the sign of S^(-½)·H·S^(-½) − µ, or McWeeny's purification, at a chemical potential or at that which occupies
/// `states`. H is in this unit, mu and what errors say is not.
template <class T>
Occupied<T> occupied_below(Products<T>& products, DensityMethod method, const BlockSparse<T>& H,
                           const BlockSparse<T>& S, std::optional<Int> states, double mu, double unit);

}  // namespace cairn
