#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/scalars.hpp"
#include "cairn/check.hpp"
#include "cairn/comm.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

namespace {

/// Random vectors in a group: a matrix is read once for all of them.
constexpr int width = 8;

/// What the test computes in: double, or complex<double>.
template <class T>
using Wide = std::conditional_t<std::is_floating_point_v<T>, double, std::complex<double>>;

/// Absolute value, or for complex numbers |re| + |im|: not smaller, at most √2 larger, and cheap.
inline double size_of_number(double x) { return std::abs(x); }
inline double size_of_number(const std::complex<double>& x) { return std::abs(x.real()) + std::abs(x.imag()); }

/// One element of each vector, and a bound of the absolute values that went into them.
template <class W>
struct Element {
  std::array<W, width> x{};
  double bound = 0;

  void add_product(W factor, const Element& from) {
    for (std::size_t r = 0; r < width; ++r) x[r] += factor * from.x[r];
    bound += size_of_number(factor) * from.bound;
  }
};

template <class W>
using Vectors = std::vector<Element<W>>;

template <class W>
Vectors<W> vectors(Int n) {
  return Vectors<W>(static_cast<std::size_t>(n));
}

/// Random signs, from the number of the element alone, so that they are the same on every rank and in every run
/// (SplitMix64: Steele, Lea and Flood, OOPSLA 2014).
template <class W>
Vectors<W> random_signs(Int n, int first_round) {
  Vectors<W> v = vectors<W>(n);
  std::uint64_t number = static_cast<std::uint64_t>(first_round + 1) * 0xd1b54a32d192ed03U;
  for (Element<W>& e : v) {
    std::uint64_t z = number += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    z ^= z >> 31;
    for (std::size_t r = 0; r < width; ++r) e.x[r] = (z >> r & 1) != 0 ? 1.0 : -1.0;
    e.bound = 1;
  }
  return v;
}

/// A line of a patch, at the global indices `inner`: y(inner) += line·x(outer), or y(outer) += line·x(inner).
template <class T, class W, class Change>
void multiply_line(const T* line, const IndexSet& inner, Int outer, bool to_inner, const Vectors<W>& x, Vectors<W>& y,
                   const Change& change) {
  const auto at = static_cast<std::size_t>(outer);
  Element<W> from, sum;
  if (to_inner) from = x[at];
  for (Range p : inner.pieces())
    for (Int i = p.lo; i < p.hi; ++i, ++line) {
      const auto place = static_cast<std::size_t>(i);
      if (to_inner)
        y[place].add_product(change(W(*line)), from);
      else
        sum.add_product(change(W(*line)), x[place]);
    }
  if (to_inner) return;
  for (std::size_t r = 0; r < width; ++r) y[at].x[r] += sum.x[r];
  y[at].bound += sum.bound;
}

/// y += this rank's part of op(X)·x; of replicated parts, the lowest rank's.
template <class T, class W>
void multiply_part(const DistMatrix<T>& X, Op op, const Vectors<W>& x, Vectors<W>& y) {
  const Layout& layout = X.layout();
  if (!layout.live(X.rank()) || layout.original(X.rank()) != X.rank()) return;
  const bool by_columns = layout.order == Order::col;
  const bool to_inner = by_columns == (op == Op::none);  // whether results are numbered like the inner index
  const T* data = X.data();
  for (const Patch& patch : layout.patches(X.rank())) {
    const IndexSet& inner = by_columns ? patch.rows : patch.cols;
    const IndexSet& outer = by_columns ? patch.cols : patch.rows;
    const T* line = data;
    for (Range o : outer.pieces())
      for (Int at = o.lo; at < o.hi; ++at, line += layout.blocks ? inner.size() : X.ld()) {
        if (op == Op::adjoint)
          multiply_line(line, inner, at, to_inner, x, y, [](const W& e) { return conjugated(e); });
        else
          multiply_line(line, inner, at, to_inner, x, y, [](const W& e) { return e; });
      }
    data += patch.words();
  }
}

/// op(X)·x on every rank, `rows` long.
template <class T, class W>
Vectors<W> product(const Comm& comm, const DistMatrix<T>& X, Op op, Int rows, const Vectors<W>& x) {
  Vectors<W> y = vectors<W>(rows);
  multiply_part(X, op, x, y);
  static_assert(sizeof(Element<W>) % sizeof(double) == 0, "summed as an array of doubles");
  constexpr Int doubles = sizeof(Element<W>) / sizeof(double), most = Int{1} << 20;  // MPI counts in int
  for (Int at = 0; at < rows; at += most)
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, y.data() + at, static_cast<int>(doubles * std::min(most, rows - at)),
                          MPI_DOUBLE, MPI_SUM, comm.raw()));
  return y;
}

struct Sizes {
  Int m, n, k;
};

/// Sizes after op, as text: "3 x 4".
template <class T>
Sizes sizes_of(const DistMatrix<T>& X, Op op) {
  const Layout& l = X.layout();
  return op == Op::none ? Sizes{l.m(), l.n(), 0} : Sizes{l.n(), l.m(), 0};
}

template <class T>
std::optional<std::string> problem_with(const Comm& comm, const char* name, const DistMatrix<T>& X, Op op, Int m,
                                        Int n) {
  const Sizes s = sizes_of(X, op);
  if (s.m != m || s.n != n) return fmt::format("{}: {} x {}, expected {} x {}", name, s.m, s.n, m, n);
  if (X.layout().grid.ranks() > comm.size())
    return fmt::format("{}: a layout on {} ranks, expected at most the {} of the communicator", name,
                       X.layout().grid.ranks(), comm.size());
  if (X.layout().overlapping())
    return fmt::format("{}: some of its elements are on several ranks, expected a layout with each on one", name);
  if (X.data() == nullptr && X.layout().words(X.rank()) > 0) return fmt::format("{}: a null buffer", name);
  return {};
}

template <class T>
double threshold_factor(const Sizes& s) {
  const double c = std::is_floating_point_v<T> ? 1 : 2;
  const double u = static_cast<double>(std::numeric_limits<decltype(std::abs(T()))>::epsilon()) / 2;
  constexpr double v = std::numeric_limits<double>::epsilon() / 2;
  const double n = static_cast<double>(s.n), k = static_cast<double>(s.k);
  return c * ((k + 5) * u + (2 * n + k + 10) * v);
}

/// Largest residual over threshold in all rows. NaN wins over every number.
template <class T, class W>
double worst_ratio(const Sizes& s, T alpha, const Vectors<W>& AB, T beta, const Vectors<W>* C0, const Vectors<W>& C) {
  const double factor = threshold_factor<T>(s);
  // What underflow may add: one least number for each product and sum.
  const double least = static_cast<double>(std::numeric_limits<decltype(std::abs(T()))>::denorm_min()) *
                       (static_cast<double>(s.n) * (static_cast<double>(s.k) + 2));
  double worst = 0;
  for (std::size_t i = 0; i < AB.size(); ++i) {
    double bound = size_of_number(W(alpha)) * AB[i].bound;
    if (C0 != nullptr) bound += size_of_number(W(beta)) * (*C0)[i].bound;
    for (std::size_t r = 0; r < width; ++r) {
      W residual = W(alpha) * AB[i].x[r] - C[i].x[r];
      if (C0 != nullptr) residual += W(beta) * (*C0)[i].x[r];
      const double found = std::abs(residual);
      const double ratio = found == 0 ? 0 : found / (factor * bound + least);
      if (!(ratio <= worst)) worst = std::isnan(worst) ? worst : ratio;
    }
  }
  return worst;
}

}  // namespace

template <class T>
CheckResult freivalds(const Comm& comm, Op op_a, Op op_b, T alpha, const DistMatrix<T>& A, const DistMatrix<T>& B,
                      T beta, const DistMatrix<T>* C0, const DistMatrix<T>& C, int rounds) {
  using W = Wide<T>;
  const auto start = std::chrono::steady_clock::now();
  const Sizes s{C.layout().m(), C.layout().n(), sizes_of(A, op_a).n};
  const bool adds = beta != T(0), multiplies = alpha != T(0);
  std::optional<std::string> problem = problem_with(comm, "C", C, Op::none, s.m, s.n);
  if (!problem) problem = problem_with(comm, "A", A, op_a, s.m, s.k);
  if (!problem) problem = problem_with(comm, "B", B, op_b, s.k, s.n);
  if (!problem && adds && C0 == nullptr) problem = "C0: null, expected a matrix, as beta is not 0";
  if (!problem && adds) problem = problem_with(comm, "C0", *C0, Op::none, s.m, s.n);
  comm.agree(problem, "the sizes", fmt::format("{} x {} x {}, {} rounds", s.m, s.n, s.k, rounds));

  CheckResult result;
  for (; result.rounds < rounds; result.rounds += width) {
    const Vectors<W> x = random_signs<W>(s.n, result.rounds);
    Vectors<W> AB = vectors<W>(s.m);
    if (multiplies) AB = product(comm, A, op_a, s.m, product(comm, B, op_b, s.k, x));
    std::optional<Vectors<W>> c0;
    if (adds) c0 = product(comm, *C0, Op::none, s.m, x);
    const double ratio = worst_ratio(s, alpha, AB, beta, adds ? &*c0 : nullptr, product(comm, C, Op::none, s.m, x));
    if (!(ratio <= result.ratio)) result.ratio = std::isnan(result.ratio) ? result.ratio : ratio;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

#define CAIRN_INSTANTIATE(T)                                                                               \
  template CheckResult freivalds<T>(const Comm&, Op, Op, T, const DistMatrix<T>&, const DistMatrix<T>&, T, \
                                    const DistMatrix<T>*, const DistMatrix<T>&, int);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
