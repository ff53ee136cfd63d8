#include "hermitian.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <limits>

#include "api/arguments.hpp"
#include "api/made_together.hpp"
#include "base/scalars.hpp"
#include "cairn/gemm.hpp"
#include "cairn/redistribute.hpp"
#include "model/problem.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn::app {

namespace {

template <class T>
constexpr double epsilon = LimitsOf<T>::epsilon();

template <class T>
DistMatrix<T> adjoint_of(const Comm& comm, const DistMatrix<T>& A) {
  auto B = DistMatrix<T>::own(A.layout(), A.rank());
  redistribute<T>(comm, Op::adjoint, T(1), A, T(0), B);
  return B;
}

// Not a number is worse than any number, also to MPI's maximum.
double or_infinite(double x) { return std::isnan(x) ? HUGE_VAL : x; }

template <class T>
bool is_finite(T x) {
  return std::isfinite(std::real(x)) && std::isfinite(std::imag(x));
}

bool same_real(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }
// Also where both are no number, or infinite.
template <class T>
bool same(T x, T y) {
  return same_real(std::real(x), std::real(y)) && same_real(std::imag(x), std::imag(y));
}

// In double precision, where squares of single precision do not overflow.
template <class T>
double modulus(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return std::abs(static_cast<double>(x));
  else
    return std::abs(std::complex<double>(x));
}

// The largest real or imaginary part that is finite, over all ranks.
template <class T>
double largest_part(const Comm& comm, const DistMatrix<T>& A) {
  double largest = 0;
  A.for_each([&](Int, Int, T& a) {
    if (!is_finite(a)) return;
    for (double part : {static_cast<double>(std::real(a)), static_cast<double>(std::imag(a))})
      largest = std::max(largest, std::abs(part));
  });
  return over_ranks(comm, MPI_MAX, largest);
}

// Largest of each column, over all ranks.
template <class T>
std::vector<double> largest_of_columns(const Comm& comm, const DistMatrix<T>& X) {
  std::vector<double> most(static_cast<std::size_t>(X.layout().n()), 0.0);
  X.for_each([&](Int, Int j, T& x) {
    double& m = most[static_cast<std::size_t>(j)];
    m = std::max(m, or_infinite(modulus(x)));
  });
  over_ranks(comm, MPI_MAX, most);
  return most;
}

// The largest row sum of A over the largest part: neither overflows, nor is it lost where all elements are tiny.
template <class T>
double largest_row_sum(const Comm& comm, const DistMatrix<T>& A, double part) {
  const Int n = A.layout().n();
  const auto rows = DistMatrix<T>::own(Layout::row_blocks(n, n, comm.size(), Order::row), comm.rank());
  redistribute<T>(comm, A, rows);
  std::vector<double> sums(static_cast<std::size_t>(n), 0.0);
  rows.for_each([&](Int i, Int, T& a) {
    const std::complex<double> x(a);
    if (a != T(0)) sums[static_cast<std::size_t>(i)] += std::abs(std::complex(x.real() / part, x.imag() / part));
  });
  double largest = 0;
  for (double sum : sums) largest = std::max(largest, sum);
  return over_ranks(comm, MPI_MAX, largest);
}

// wrong/(part·x·scale), where double precision may not hold products of two of them.
double ratio_of(double wrong, double part, double x, double scale) {
  if (!std::isfinite(wrong)) return HUGE_VAL;
  const long double all = static_cast<long double>(part) * std::min(x, std::numeric_limits<double>::max()) * scale;
  return or_infinite(static_cast<double>(wrong / all));
}

}  // namespace

template <class T>
void require_hermitian(const Comm& comm, const std::string& name, const DistMatrix<T>& A) {
  const DistMatrix<T> mirror = adjoint_of(comm, A);
  const double tolerance = static_cast<double>(A.layout().n()) * epsilon<T> * largest_part(comm, A);
  std::optional<std::string> problem;
  A.for_each([&](Int i, Int j, T& a) {
    const T b = mirror.data()[&a - A.data()];
    if (problem || same(a, b) || static_cast<double>(std::abs(a - b)) <= tolerance) return;
    problem = fmt::format(
        "{}: row {}, column {} (counted from 0) is {}, {}, expected a {} matrix, or --uplo lower or upper to say which "
        "triangle counts",
        name, i, j, text_of(a),
        i == j ? "whose imaginary part is not 0"
               : fmt::format("but row {}, column {} is {}", j, i, text_of(conjugated(b))),
        std::is_floating_point_v<T> ? "symmetric" : "Hermitian");
  });
  fail_together(comm, Trouble::Kind::file, problem);
}

template <class T>
void require_finite(const Comm& comm, const std::string& name, Uplo triangle, const DistMatrix<T>& A) {
  std::optional<std::string> problem;
  A.for_each([&](Int i, Int j, T& a) {
    if (!problem && counts(triangle, i, j) && !is_finite(i == j ? T(std::real(a)) : a))
      problem = fmt::format("{}: found NaN or infinity in row {}, column {} (counted from 0), expected finite numbers",
                            name, i, j);
  });
  fail_together(comm, Trouble::Kind::file, problem);
}

template <class T>
DistMatrix<T> completed(const Comm& comm, Uplo triangle, const DistMatrix<T>& A) {
  DistMatrix<T> whole = adjoint_of(comm, A);
  A.for_each([&](Int i, Int j, T& a) {
    if (counts(triangle, i, j)) whole.data()[&a - A.data()] = i == j ? T(std::real(a)) : a;
  });
  return whole;
}

template <class T>
DistMatrix<T> each_once(const Comm& comm, const DistMatrix<T>& A) {
  const Layout& l = A.layout();
  if (!l.overlapping()) return A;
  auto rows = DistMatrix<T>::own(Layout::row_blocks(l.m(), l.n(), comm.size(), l.order), comm.rank());
  redistribute<T>(comm, A, rows);
  return rows;
}

template <class T>
double scaled_residual(const Comm& comm, const DistMatrix<T>& A, const DistMatrix<T>& X, const DistMatrix<T>& B) {
  const Int n = A.layout().n();
  gemm<T>(comm, Op::none, Op::none, T(-1), A, X, T(1), B);
  const double part = largest_part(comm, A);
  const double scale = largest_row_sum(comm, A, part) * static_cast<double>(n) * epsilon<T>;
  const std::vector<double> wrong = largest_of_columns(comm, B), x = largest_of_columns(comm, X);
  double most = 0;
  for (std::size_t j = 0; j < x.size(); ++j)
    if (wrong[j] > 0) most = std::max(most, ratio_of(wrong[j], part, x[j], scale));
  return most;
}

#define CAIRN_INSTANTIATE(T)                                                                 \
  template void require_hermitian(const Comm&, const std::string&, const DistMatrix<T>&);    \
  template void require_finite(const Comm&, const std::string&, Uplo, const DistMatrix<T>&); \
  template DistMatrix<T> completed(const Comm&, Uplo, const DistMatrix<T>&);                 \
  template DistMatrix<T> each_once(const Comm&, const DistMatrix<T>&);                       \
  template double scaled_residual(const Comm&, const DistMatrix<T>&, const DistMatrix<T>&, const DistMatrix<T>&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn::app
