#include "cairn/block_check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "api/block_ranks.hpp"
#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "local/sparse/symmetry.hpp"
#include "runtime/probes.hpp"

namespace cairn {

namespace {

/// f(row, column, element) of what this rank stores, and of its mirror images.
template <class T, class F>
void for_each_element(const BlockSparse<T>& X, F f) {
  const std::vector<Int> rows = bounds_of(X.rows()), cols = bounds_of(X.cols());
  const Symmetry symmetry = X.symmetry();
  for (const auto& [i, j, block] : X) {
    const Int row = rows[static_cast<std::size_t>(i)], col = cols[static_cast<std::size_t>(j)];
    const bool has_image = symmetry != Symmetry::general && i != j;
    for (Int c = 0; c < block.cols; ++c)
      for (Int r = 0; r < block.rows; ++r) {
        const Wide<T> x(block(r, c));
        f(row + r, col + c, x);
        if (has_image) f(col + c, row + r, mirrored(symmetry, x));
      }
  }
}

/// Of a product whose result is on `ranks`.
template <class T>
Operand<T> operand(const Comm& ranks, const char* name, const BlockSparse<T>& X, Op op = Op::none) {
  using W = Wide<T>;
  const auto [m, n] = extents_of(op, X);
  return {name, op, m, n, unless_same_ranks(name, X.comm(), "C", ranks), [&X, op, m = m](const Probes<W>& x) {
            Probes<W> y = probes<W>(m);
            for_each_element(X, [&](Int row, Int col, const W& e) {
              const auto i = static_cast<std::size_t>(row), j = static_cast<std::size_t>(col);
              if (op == Op::none)
                y[i].add_product(e, x[j]);
              else
                y[j].add_product(op == Op::adjoint ? conjugated(e) : e, x[i]);
            });
            sum_over_ranks(X.comm(), y);
            return y;
          }};
}

/// What may be left out of a row of C, times a sign for each column: a block of w columns is wrong by less than 2·eps
/// in Frobenius's norm, and w signs have the norm √w.
double left_out(const BlockSizes& cols, double eps) {
  double sum = 0;
  for (BlockIndex width : cols) sum += std::sqrt(static_cast<double>(width));
  return 2 * eps * sum;
}

}  // namespace

template <class T>
CheckResult freivalds(Op op_a, Op op_b, T alpha, const BlockSparse<T>& A, const BlockSparse<T>& B, T beta,
                      const BlockSparse<T>* C0, const BlockSparse<T>& C, double filter_eps, int rounds) {
  const Comm& comm = C.comm();
  TestedProduct<T> p{alpha, operand(comm, "A", A, op_a), operand(comm, "B", B, op_b), beta, {}, operand(comm, "C", C)};
  if (p.adds() && C0) p.C0 = operand(comm, "C0", *C0);
  p.allowed = left_out(C.cols(), filter_eps);
  if (!(filter_eps >= 0)) p.C.problem = fmt::format("filter_eps: {}, expected 0 or more", filter_eps);
  agree_on(comm, p, rounds, fmt::format(", filter_eps {}", filter_eps));
  return freivalds(p, rounds);
}

#define CAIRN_INSTANTIATE(T)                                                                                           \
  template CheckResult freivalds<T>(Op, Op, T, const BlockSparse<T>&, const BlockSparse<T>&, T, const BlockSparse<T>*, \
                                    const BlockSparse<T>&, double, int);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
