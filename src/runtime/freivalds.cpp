#include <fmt/format.h>

#include <array>
#include <vector>

#include "base/scalars.hpp"
#include "cairn/check.hpp"
#include "cairn/comm.hpp"
#include "runtime/probes.hpp"

namespace cairn {

namespace {

/// A line of a patch, at the global indices `inner`: y(inner) += line·x(outer), or y(outer) += line·x(inner).
template <class T, class W, class Change>
void multiply_line(const T* line, const IndexSet& inner, Int outer, bool to_inner, const Probes<W>& x, Probes<W>& y,
                   const Change& change) {
  const auto at = static_cast<std::size_t>(outer);
  Probe<W> from, sum;
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
  for (std::size_t r = 0; r < probe_width; ++r) y[at].x[r] += sum.x[r];
  y[at].bound += sum.bound;
}

/// y += this rank's part of op(X)·x; of replicated parts, the lowest rank's.
template <class T, class W>
void multiply_part(const DistMatrix<T>& X, Op op, const Probes<W>& x, Probes<W>& y) {
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
Probes<W> product(const Comm& comm, const DistMatrix<T>& X, Op op, Int rows, const Probes<W>& x) {
  Probes<W> y = probes<W>(rows);
  multiply_part(X, op, x, y);
  sum_over_ranks(comm, y);
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

}  // namespace

template <class T>
CheckResult freivalds(const Comm& comm, Op op_a, Op op_b, T alpha, const DistMatrix<T>& A, const DistMatrix<T>& B,
                      T beta, const DistMatrix<T>* C0, const DistMatrix<T>& C, int rounds) {
  const Sizes s{C.layout().m(), C.layout().n(), sizes_of(A, op_a).n};
  const bool adds = beta != T(0);
  std::optional<std::string> problem = problem_with(comm, "C", C, Op::none, s.m, s.n);
  if (!problem) problem = problem_with(comm, "A", A, op_a, s.m, s.k);
  if (!problem) problem = problem_with(comm, "B", B, op_b, s.k, s.n);
  if (!problem && adds && C0 == nullptr) problem = "C0: null, expected a matrix, as beta is not 0";
  if (!problem && adds) problem = problem_with(comm, "C0", *C0, Op::none, s.m, s.n);
  comm.agree(problem, "the sizes", fmt::format("{} x {} x {}, {} rounds", s.m, s.n, s.k, rounds));

  using X = Probes<Wide<T>>;
  TestedProduct<T> tested{s.n, s.k, alpha, beta, {}, {}, {}};
  tested.AB = [&](const X& x) { return product(comm, A, op_a, s.m, product(comm, B, op_b, s.k, x)); };
  if (adds) tested.C0 = [&](const X& x) { return product(comm, *C0, Op::none, s.m, x); };
  tested.C = [&](const X& x) { return product(comm, C, Op::none, s.m, x); };
  return test(tested, rounds);
}

#define CAIRN_INSTANTIATE(T)                                                                               \
  template CheckResult freivalds<T>(const Comm&, Op, Op, T, const DistMatrix<T>&, const DistMatrix<T>&, T, \
                                    const DistMatrix<T>*, const DistMatrix<T>&, int);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
