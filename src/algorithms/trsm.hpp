// Triangular solution: X·T = alpha·B with T = op(A); from the left it is Xᵀ·Tᵀ = alpha·Bᵀ.
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/triangles_turned.hpp"
#include "algorithms/triangular.hpp"

namespace cairn {

inline Int right_hand_sides(const SolveProblem& p) { return p.side == Side::left ? p.n : p.m; }

/// The caller's B, if there is one, as if right-hand sides were dealt in the blocks of the order, where they may stay
/// though they are dealt in others (model/dealing.hpp).
std::optional<Layout> evened(const SolveProblem& p);

/// How wide blocks of right-hand sides are that the plan deals to so many rows of ranks: b; wider ones if these are
/// very many, and narrower ones if there would not be one for each rank, unless the caller has B.
Int block_of_others(const SolveProblem& p, Int b, Int ranks);

/// How many of so many rows of ranks have right-hand sides then.
Int rows_with_some(const SolveProblem& p, Int b, Int ranks);

/// grids_and_blocks() without ranks that have no block of the triangle or no right-hand side.
std::vector<GridAndBlock> grids_without_idle(const SolveProblem& p);

/// What sketches of its algorithms are made of.
Panels panels_of(const SolveProblem& p, const GridAndBlock& form);

/// What all of its algorithms share.
struct TriangularSolution : Turned {
  const SolveProblem& p;
  Int n, m;        ///< order of A, number of right-hand sides
  bool as_stored;  ///< T is A and not its transpose
  bool ascending;  ///< T is upper, so that columns are solved from the first on
  Slot A = -1, B = -1;

  static Solve problem(const SolveProblem& p) { return {p.m, p.n, p.side, p.triangle, p.op, p.diag}; }
  TriangularSolution(const SolveProblem& problem, Turned on);

 protected:
  Layout triangle(const Dim& rows, const Dim& cols) const {
    return as_stored ? layout(rows, cols) : layout(cols, rows);
  }
  Slot of_t(Slot x, const Part& rows, const Part& cols, const std::vector<Layout::Where>& at = {}) {
    return as_stored ? part(x, rows, cols, at) : part(x, cols, rows, at);
  }
  /// Right-hand sides, dealt to the rows of ranks: as the caller has them, if they may stay.
  Dim others() const;
  /// alpha·B, in this layout.
  void start(const Layout& x);
  /// Block columns of `all`, in the order in which they are solved.
  std::vector<Range> in_order(Range all, Int width) const;
};

/// On layers of ranks that share the columns of B (trsm.cpp), or that have copies of T and share its rows
/// (trsm25d.cpp).
struct Trsm : TriangularSolution {
  using TriangularSolution::TriangularSolution;
  Slot sums = -1;  ///< what the layers subtract, each for itself; B where layers do not share its columns

  void by_steps();
  void in_copies();
  Schedule schedule();

 private:
  Slot given(Dim rows, const Part& cols, Int row, std::vector<Layout::Where> at);
  Slot given_onwards(Slot X, Int column, Int blocks);
  void solve_block(Range K, Range G, Int column, Int row, Int layer);
};

}  // namespace cairn
