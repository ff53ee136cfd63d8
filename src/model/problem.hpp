// What a schedule computes, as far as schedules tell problems apart: sizes, and which parts of matrices count.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "cairn/types.hpp"

namespace cairn {

std::string_view name_of(Uplo shape);
/// Whether element (i, j) counts.
inline bool counts(Uplo shape, Int i, Int j) { return shape == Uplo::full || (shape == Uplo::lower ? i >= j : i <= j); }
inline Uplo transposed(Uplo shape) {
  return shape == Uplo::full ? Uplo::full : shape == Uplo::lower ? Uplo::upper : Uplo::lower;
}
/// Number of the elements rows × cols that count. Rows and columns ascend.
Int counted(Uplo shape, const IndexSet& rows, const IndexSet& cols);

/// Of the elements rows × cols, those that count, in as few parts as columns (lower) or rows (upper) are cut into: each
/// all counts, or is a square on the diagonal. Rows and columns ascend. So many columns (rows) as are next to each
/// other are taken `together`, which makes fewer and larger parts.
struct CountedPart {
  IndexSet rows, cols;
  bool on_diagonal;
};
std::vector<CountedPart> counted_parts(Uplo shape, const IndexSet& rows, const IndexSet& cols, Int together = 0);

/// C = alpha·op(A)·op(B) + beta·C with C m × n and inner dimension k.
struct Multiply {
  Int m = 0, n = 0, k = 0;
  bool operator==(const Multiply&) const = default;
};
/// B = alpha·A + beta·B, m × n, in other layouts.
struct Copy {
  Int m = 0, n = 0;
  bool operator==(const Copy&) const = default;
};
/// A = L·Lᴴ (lower) or Uᴴ·U (upper), n × n: L or U takes A's place, the other triangle is neither read nor written.
struct Factorise {
  Int n = 0;
  Uplo triangle = Uplo::lower;
  bool operator==(const Factorise&) const = default;
};

/// X of op(A)·X = alpha·B (left) or X·op(A) = alpha·B (right), B m × n: X takes B's place. A is triangular, of order m
/// or n.
struct Solve {
  Int m = 0, n = 0;
  Side side = Side::left;
  Uplo triangle = Uplo::lower;
  Op op = Op::none;
  Diag diag = Diag::stored;
  Int order() const { return side == Side::left ? m : n; }
  bool operator==(const Solve&) const = default;
};

using Problem = std::variant<Multiply, Copy, Factorise, Solve>;

std::string_view name_of(Side side);
std::string_view name_of(Op op);
std::string_view name_of(Diag diag);

/// "m=64 n=64 k=64", "copy m=64 n=64", "potrf n=64 uplo=lower",
/// "trsm m=64 n=64 side=left uplo=lower op=none diag=stored"
std::string spelled(const Problem& problem);
/// Size of the result.
struct Extents {
  Int m, n;
};
/// Size of op(X).
template <class Matrix>
Extents extents_of(Op op, const Matrix& X) {
  return op == Op::none ? Extents{X.m(), X.n()} : Extents{X.n(), X.m()};
}
Extents result_of(const Problem& problem);
/// Whether the result's memory holds an operand at the start, which is overwritten.
bool in_place(const Problem& problem);
/// Additions and multiplications, as LAPACK Working Note 41 counts the leading terms.
double flops(const Problem& problem);
/// Words that some rank of p must receive, whatever its memory, where ranks share work and data evenly.
double received_bound(const Problem& problem, Int p);
/// Words that some rank of p with so many words of memory must touch, its own parts of the matrices included, where the
/// ranks share the work evenly; 0 of a copy.
double touched_bound(const Problem& problem, Int p, double words);

}  // namespace cairn
