// Freivalds' test, whatever the matrices are: random vectors, their products, and what rounding errors explain.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "cairn/check.hpp"
#include "cairn/comm.hpp"
#include "model/problem.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

/// Random vectors in a group: a matrix is read once for all of them.
constexpr int probe_width = 8;

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

/// Random signs times `unit`, from the number of the element alone, so that they are the same on every rank and in
/// every run.
template <class W>
Probes<W> random_signs(Int n, int first_round, double unit) {
  Probes<W> v = probes<W>(n);
  std::uint64_t number = static_cast<std::uint64_t>(first_round + 1) * 0xd1b54a32d192ed03U;
  for (Probe<W>& e : v) {
    const std::uint64_t z = mixed_bits(number += 0x9e3779b97f4a7c15U);
    for (std::size_t r = 0; r < probe_width; ++r) e.x[r] = (z >> r & 1) != 0 ? unit : -unit;
    e.bound = unit;
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

/// op(X), m × n, of a matrix of any kind.
template <class T>
struct Operand {
  const char* name;
  Op op;
  Int m, n;
  std::optional<std::string> problem;                            ///< with X on this rank
  std::function<Probes<Wide<T>>(const Probes<Wide<T>>&)> times;  ///< op(X)·x on every rank; collective
};

/// C = alpha·op(A)·op(B) + beta·C0.
template <class T>
struct TestedProduct {
  T alpha;
  Operand<T> A, B;
  T beta;
  std::optional<Operand<T>> C0;
  Operand<T> C;
  double allowed = 0;  ///< by which an element of C·x may be wrong besides rounding errors
  bool adds() const { return beta != T(0); }
};

/// What this rank knows of an operand that cannot be m × n.
template <class T>
std::optional<std::string> problem_with(const Operand<T>& x, Int m, Int n) {
  if (x.m != m || x.n != n) return fmt::format("{}: {} x {}, expected {} x {}", x.name, x.m, x.n, m, n);
  return x.problem;
}

/// Throws ArgumentError on every rank if any has a problem, or ranks differ in what is given, or in `also`. Collective.
template <class T>
void agree_on(const Comm& comm, const TestedProduct<T>& p, int rounds, const std::string& also = {}) {
  const Int m = p.C.m, n = p.C.n, k = p.A.n;
  std::optional<std::string> problem = problem_with(p.C, m, n);
  if (!problem) problem = problem_with(p.A, m, k);
  if (!problem) problem = problem_with(p.B, k, n);
  if (!problem && p.adds())
    problem = p.C0 ? problem_with(*p.C0, m, n) : "C0: null, expected a matrix, as beta is not 0";
  if (!problem && rounds < 1) problem = fmt::format("rounds: {}, expected 1 or more", rounds);
  const Wide<T> alpha(p.alpha), beta(p.beta);
  comm.agree(problem, "the arguments",
             fmt::format("elements {}, {} x {} x {}, op_a {}, op_b {}, alpha {}{:+}i, beta {}{:+}i, {} rounds{}",
                         name_of(scalar_type_of<T>), m, n, k, name_of(p.A.op), name_of(p.B.op), std::real(alpha),
                         std::imag(alpha), std::real(beta), std::imag(beta), rounds, also));
}

/// Largest residual over threshold in all rows, of probes in this unit. NaN wins over every number; a threshold that
/// overflows is one.
template <class T, class W>
double worst_ratio(const TestedProduct<T>& p, const Probes<W>& AB, const Probes<W>& C0, const Probes<W>& C,
                   double unit) {
  const double c = std::is_floating_point_v<T> ? 1 : 2;
  const double u = static_cast<double>(LimitsOf<T>::epsilon()) / 2;
  constexpr double v = std::numeric_limits<double>::epsilon() / 2;
  const auto n = static_cast<double>(p.C.n), k = static_cast<double>(p.A.n);
  const double factor = c * ((k + 5) * u + (2 * n + k + 10) * v);
  // What underflow may add: one least number for each product and sum.
  const double least = static_cast<double>(LimitsOf<T>::denorm_min()) * (n * (k + 2));
  double worst = 0;
  for (std::size_t i = 0; i < C.size(); ++i) {
    double bound = size_of_number(W(p.alpha)) * AB[i].bound;
    if (p.adds()) bound += size_of_number(W(p.beta)) * C0[i].bound;
    for (std::size_t r = 0; r < probe_width; ++r) {
      W residual = W(p.alpha) * AB[i].x[r] - C[i].x[r];
      if (p.adds()) residual += W(p.beta) * C0[i].x[r];
      const double found = std::abs(residual);
      double ratio = found == 0 ? 0 : found / (factor * bound + least + p.allowed * unit);
      if (!std::isfinite(bound)) ratio = std::numeric_limits<double>::quiet_NaN();
      if (!(ratio <= worst)) worst = std::isnan(worst) ? worst : ratio;
    }
  }
  return worst;
}

/// One round for each probe of an element; see worst_ratio. Collective.
template <class T>
double tested_ratio(const TestedProduct<T>& p, int first_round, double unit) {
  using W = Wide<T>;
  const Probes<W> x = random_signs<W>(p.C.n, first_round, unit);
  const Probes<W> AB = p.alpha != T(0) ? p.A.times(p.B.times(x)) : probes<W>(p.C.m);
  const Probes<W> C0 = p.adds() ? p.C0->times(x) : Probes<W>();
  return worst_ratio(p, AB, C0, p.C.times(x), unit);
}

/// The test, in so many rounds or some more. Collective.
template <class T>
CheckResult freivalds(const TestedProduct<T>& p, int rounds) {
  constexpr double small = 0x1p-100;
  const auto start = std::chrono::steady_clock::now();
  CheckResult result;
  for (; result.rounds < rounds; result.rounds += probe_width) {
    double ratio = tested_ratio(p, result.rounds, 1);
    if (std::isnan(ratio)) ratio = tested_ratio(p, result.rounds, small);  // sums may overflow where no element does
    if (!(ratio <= result.ratio)) result.ratio = std::isnan(result.ratio) ? result.ratio : ratio;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace cairn
