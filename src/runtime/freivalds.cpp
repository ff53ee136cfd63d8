#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "base/scalars.hpp"
#include "cairn/check.hpp"
#include "cairn/comm.hpp"
#include "runtime/probes.hpp"
#include "runtime/problem_with_part.hpp"
#include "schedule/text.hpp"

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

template <class T>
std::optional<std::string> problem_with(const Comm& comm, const char* name, const DistMatrix<T>& X) {
  if (auto problem = problem_with_ranks(name, X.layout(), comm.size())) return problem;
  return problem_with_single_part(name, X, comm.rank());
}

template <class T>
Operand<T> operand(const Comm& comm, const char* name, const DistMatrix<T>& X, Op op = Op::none) {
  const auto [m, n] = extents_of(op, X.layout());
  return {name, op, m, n, problem_with(comm, name, X), [&comm, &X, op, m = m](const Probes<Wide<T>>& x) {
            Probes<Wide<T>> y = probes<Wide<T>>(m);
            multiply_part(X, op, x, y);
            sum_over_ranks(comm, y);
            return y;
          }};
}

}  // namespace

template <class T>
CheckResult freivalds(const Comm& comm, Op op_a, Op op_b, T alpha, const DistMatrix<T>& A, const DistMatrix<T>& B,
                      T beta, const DistMatrix<T>* C0, const DistMatrix<T>& C, int rounds) {
  TestedProduct<T> p{alpha, operand(comm, "A", A, op_a), operand(comm, "B", B, op_b), beta, {}, operand(comm, "C", C)};
  if (p.adds() && C0) p.C0 = operand(comm, "C0", *C0);
  std::string layouts =
      fmt::format(", A ({}), B ({}), C ({})", text_of(A.layout()), text_of(B.layout()), text_of(C.layout()));
  if (p.C0) layouts += fmt::format(", C0 ({})", text_of(C0->layout()));
  agree_on(comm, p, rounds, layouts);
  return freivalds(p, rounds);
}

#define CAIRN_INSTANTIATE(T)                                                                               \
  template CheckResult freivalds<T>(const Comm&, Op, Op, T, const DistMatrix<T>&, const DistMatrix<T>&, T, \
                                    const DistMatrix<T>*, const DistMatrix<T>&, int);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
