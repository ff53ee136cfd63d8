// Triangular solution: X·T = alpha·B with T = op(A); from the left it is Xᵀ·Tᵀ = alpha·Bᵀ.
#pragma once
#include <utility>
#include <vector>

#include "algorithms/triangular.hpp"
#include "algorithms/turned.hpp"

namespace cairn {

/// On layers of ranks that share the columns of B (trsm.cpp), or that have copies of T and share its rows
/// (trsm25d.cpp).
struct Trsm : Turned {
  const SolveProblem& p;
  Int n, m;  ///< order of A, number of right-hand sides
  bool as_stored,
      ascending;  ///< T is A and not its transpose; T is upper, so that columns are solved from the first on
  Slot A = -1, B = -1;
  Slot sums = -1;  ///< what the layers subtract, each for itself; B where layers do not share its columns

  static Solve problem(const SolveProblem& p) { return {p.m, p.n, p.side, p.triangle, p.op, p.diag}; }
  Trsm(const SolveProblem& problem, Turned on);

  void by_steps();
  void in_copies();
  Schedule schedule();

 private:
  void start(const Dim& rows);
  Layout triangle(const Dim& rows) const { return as_stored ? layout(rows, by_cols(n)) : layout(by_cols(n), rows); }
  Slot of_t(Slot x, Part rows, Part cols, const std::vector<Layout::Where>& at = {}) {
    return as_stored ? part(x, std::move(rows), std::move(cols), at) : part(x, std::move(cols), std::move(rows), at);
  }
  Slot given(Dim rows, Part cols, Int row, std::vector<Layout::Where> at);
  void solve_block(Range K, Range G, Int column, Int row, Int layer);
};

}  // namespace cairn
