// Freivalds' test, whatever the matrices are: random vectors, their products, and what rounding errors explain.
#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/scalars.hpp"
#include "cairn/check.hpp"
#include "cairn/comm.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

/// Random vectors in a group: a matrix is read once for all of them.
constexpr int probe_width = 8;

/// What the test computes in: double, or complex<double>.
template <class T>
using Wide = std::conditional_t<std::is_floating_point_v<T>, double, std::complex<double>>;

/// Absolute value, or for complex numbers |re| + |im|: not smaller, at most √2 larger, and cheap.
inline double size_of_number(double x) { return std::abs(x); }
inline double size_of_number(const std::complex<double>& x) { return std::abs(x.real()) + std::abs(x.imag()); }

/// One element of each vector, and a bound of the absolute values that went into them.
template <class W>
struct Probe {
  std::array<W, probe_width> x{};
  double bound = 0;

  void add_product(W factor, const Probe& from) {
    for (std::size_t r = 0; r < probe_width; ++r) x[r] += factor * from.x[r];
    bound += size_of_number(factor) * from.bound;
  }
};

template <class W>
using Probes = std::vector<Probe<W>>;

template <class W>
Probes<W> probes(Int n) {
  return Probes<W>(static_cast<std::size_t>(n));
}

/// Random signs, from the number of the element alone, so that they are the same on every rank and in every run
/// (SplitMix64: Steele, Lea and Flood, OOPSLA 2014).
template <class W>
Probes<W> random_signs(Int n, int first_round) {
  Probes<W> v = probes<W>(n);
  std::uint64_t number = static_cast<std::uint64_t>(first_round + 1) * 0xd1b54a32d192ed03U;
  for (Probe<W>& e : v) {
    std::uint64_t z = number += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    z ^= z >> 31;
    for (std::size_t r = 0; r < probe_width; ++r) e.x[r] = (z >> r & 1) != 0 ? 1.0 : -1.0;
    e.bound = 1;
  }
  return v;
}

/// Every rank's part of a product, summed on every rank. Collective.
template <class W>
void sum_over_ranks(const Comm& comm, Probes<W>& y) {
  static_assert(sizeof(Probe<W>) % sizeof(double) == 0, "summed as an array of doubles");
  constexpr Int doubles = sizeof(Probe<W>) / sizeof(double), most = Int{1} << 20;  // MPI counts in int
  const Int rows = static_cast<Int>(y.size());
  for (Int at = 0; at < rows; at += most)
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, y.data() + at, static_cast<int>(doubles * std::min(most, rows - at)),
                          MPI_DOUBLE, MPI_SUM, comm.raw()));
}

/// C = alpha·op(A)·op(B) + beta·C0, as products of its sides with vectors; C0 is empty if it does not count.
template <class T>
struct TestedProduct {
  using Product = std::function<Probes<Wide<T>>(const Probes<Wide<T>>&)>;
  Int n = 0, k = 0;  ///< columns of C, and of op(A)
  T alpha{}, beta{};
  Product AB, C0, C;
  double allowed = 0;  ///< by which every element of a product of C with signs may be wrong besides rounding errors
};

/// Largest residual over threshold in all rows. NaN wins over every number.
template <class T, class W>
double worst_ratio(const TestedProduct<T>& p, const Probes<W>& AB, const Probes<W>* C0, const Probes<W>& C) {
  const double c = std::is_floating_point_v<T> ? 1 : 2;
  using Real = decltype(std::abs(T()));
  const double u = static_cast<double>(std::numeric_limits<Real>::epsilon()) / 2;
  constexpr double v = std::numeric_limits<double>::epsilon() / 2;
  const auto n = static_cast<double>(p.n), k = static_cast<double>(p.k);
  const double factor = c * ((k + 5) * u + (2 * n + k + 10) * v);
  // What underflow may add: one least number for each product and sum.
  const double least = static_cast<double>(std::numeric_limits<Real>::denorm_min()) * (n * (k + 2));
  double worst = 0;
  for (std::size_t i = 0; i < AB.size(); ++i) {
    double bound = size_of_number(W(p.alpha)) * AB[i].bound;
    if (C0 != nullptr) bound += size_of_number(W(p.beta)) * (*C0)[i].bound;
    for (std::size_t r = 0; r < probe_width; ++r) {
      W residual = W(p.alpha) * AB[i].x[r] - C[i].x[r];
      if (C0 != nullptr) residual += W(p.beta) * (*C0)[i].x[r];
      const double found = std::abs(residual);
      const double ratio = found == 0 ? 0 : found / (factor * bound + least + p.allowed);
      if (!(ratio <= worst)) worst = std::isnan(worst) ? worst : ratio;
    }
  }
  return worst;
}

/// The test, in so many rounds or some more. Collective.
template <class T>
CheckResult test(const TestedProduct<T>& p, int rounds) {
  using W = Wide<T>;
  const auto start = std::chrono::steady_clock::now();
  CheckResult result;
  for (; result.rounds < rounds; result.rounds += probe_width) {
    const Probes<W> x = random_signs<W>(p.n, result.rounds), C = p.C(x);
    const Probes<W> AB = p.alpha != T(0) ? p.AB(x) : probes<W>(static_cast<Int>(C.size()));
    const Probes<W> C0 = p.C0 ? p.C0(x) : Probes<W>();
    const double ratio = worst_ratio(p, AB, p.C0 ? &C0 : nullptr, C);
    if (!(ratio <= result.ratio)) result.ratio = std::isnan(result.ratio) ? result.ratio : ratio;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace cairn
