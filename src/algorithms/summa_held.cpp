#include "algorithms/summa_held.hpp"

#include <fmt/format.h>

#include "algorithms/held_by_caller.hpp"
#include "algorithms/panels.hpp"
#include "cairn/error.hpp"

namespace cairn {

namespace {

using enum RowsOrCols;

Dim whole(Int extent) { return {{0, extent}, {}}; }

struct Summa {
  Builder& s;
  const GemmProblem& p;
  Held lies;
  Layout stays;  // where the caller holds the matrix that stays: its rows cut along i, its columns along j
  int i, j;

  // C stays: of each round k1 the pieces of A are gathered along j, those of B along i.  [vandegeijn-watts-1997]
  //   A[m/i, k/j]   B[k/i, n/j]   C[m/i, n/j]       received: mk/pr·(1-1/pc) + kn/pc·(1-1/pr)
  void stationary_c() {
    const Slot A = input_a(s, p, lies.operand(seen_a(p), stays.rows, whole(p.k), cols, j));
    const Slot B = input_b(s, p, lies.operand(seen_b(p), whole(p.k), stays.cols, rows, i));
    const Slot C = output_c(s, p, stays);
    if (lies.in_turns(A, j, B, i)) return in_turns(A, B, C);
    for (Range k1 : slices({0, p.k}, lies.b)) {
      const Slot A1 = lies.gather(A, cols, k1, j);  // A1[m/i, k1]
      const Slot B1 = lies.gather(B, rows, k1, i);  // B1[k1, n/j]
      s.gemm(A1, B1, C);                            // C[m/i, n/j] += A1 B1
    }
  }

  // The same with what one owner has of k at a time.  [cannon-1969, without his skew]
  void in_turns(Slot A, Slot B, Slot C) {
    for (Int t = 0; t < s.grid().extent(i); ++t) {
      const Slot A1 = lies.cols_in_turn(A, j, B, t);  // A1[m/i, k/(i+t)]
      const Slot B1 = lies.rows_in_turn(B, i, j, t);  // B1[k/(i+t), n/j]
      s.gemm(A1, B1, C);
    }
  }

  // A stays: of each round n1 the pieces of B are gathered along i, and terms of C summed along j.  [schatz-2016]
  //   A[m/i, k/j]   B[k/j, n/i]   C[m/i, n/j]       received: kn/pc·(1-1/pr) + mn/pr·(1-1/pc)
  void stationary_a() {
    const Slot A = input_a(s, p, stays);
    const Slot B = input_b(s, p, lies.operand(seen_b(p), stays.cols, whole(p.n), cols, i));
    const Slot C = output_c(s, p, lies.sum(seen_c(p), stays.rows, whole(p.n), cols, j));
    for (Range n1 : slices({0, p.n}, lies.b)) {
      const Slot B1 = lies.gather(B, cols, n1, i);  // B1[k/j, n1]
      const Slot C1 = lies.term(C, cols, n1, j);    // C1[m/i, n1], one of pc terms
      s.gemm(A, B1, C1);
      lies.add_up(C1, C, cols, n1, j);
    }
  }

  // B stays, mirrored.
  //   A[m/j, k/i]   B[k/i, n/j]   C[m/i, n/j]       received: mk/pr·(1-1/pc) + mn/pc·(1-1/pr)
  void stationary_b() {
    const Slot A = input_a(s, p, lies.operand(seen_a(p), whole(p.m), stays.rows, rows, j));
    const Slot B = input_b(s, p, stays);
    const Slot C = output_c(s, p, lies.sum(seen_c(p), whole(p.m), stays.cols, rows, i));
    for (Range m1 : slices({0, p.m}, lies.b)) {
      const Slot A1 = lies.gather(A, rows, m1, j);  // A1[m1, k/i]
      const Slot C1 = lies.term(C, rows, m1, i);    // C1[m1, n/j], one of pr terms
      s.gemm(A1, B, C1);
      lies.add_up(C1, C, rows, m1, i);
    }
  }
};

Seen seen(const GemmProblem& p, char matrix) {
  return matrix == 'a' ? seen_a(p) : matrix == 'b' ? seen_b(p) : seen_c(p);
}

}  // namespace

std::optional<std::array<Int, 2>> held_grid(const GemmProblem& p, char stationary) {
  const std::optional<Staying> x = staying(seen(p, stationary));
  if (!x || x->layout.grid.size() > p.ranks) return {};
  return std::array<Int, 2>{x->layout.grid.extent(x->i), x->layout.grid.extent(x->j)};
}

Schedule summa_held(const GemmProblem& p, const SummaForm& f) {
  const std::string spelled = print_summa(f);
  const char name = static_cast<char>(f.stationary - 'a' + 'A');
  const std::optional<Staying> x = staying(seen(p, f.stationary));
  if (!x)
    throw ArgumentError(
        fmt::format("{}: expected {} in a layout of the caller's, on a grid of two axes of which one cuts "
                    "its rows and the other its columns",
                    spelled, name));
  Builder s(spelled, p.m, p.n, p.k, x->layout.grid, p.ranks);
  const Int rows = s.grid().extent(x->i), cols = s.grid().extent(x->j);
  if (rows != f.pr || cols != f.pc)
    throw ArgumentError(fmt::format("{}: {} lies on {}x{} ranks, expected the same here", spelled, name, rows, cols));
  for (Int extent : {p.m, p.n, p.k}) require_few_panels(extent, f.b);
  const Int most = std::max({p.m, p.n, p.k, Int{1}});
  Summa form{s, p, {s, p.ranks, std::min(f.b, most), x->layout.where}, x->layout, x->i, x->j};
  if (f.stationary == 'a')
    form.stationary_a();
  else if (f.stationary == 'b')
    form.stationary_b();
  else
    form.stationary_c();
  return s.done();
}

}  // namespace cairn
