// Triangular solution in 2.5D as the paper does it: trsm.cpp's algorithm, on layers that have copies of the triangle.
#include "algorithms/panels.hpp"
#include "algorithms/trsm.hpp"
#include "base/arithmetic.hpp"

namespace cairn {

// Each layer solves for rows of B of its own.  [communication-avoiding-overlapping-2012 §VI.B]
//   A[n/(i + pr·l)%b, n/j%b] or, where the caller has it there, on the first layer; copies T[n/i%b, n/j%b]
//   B[m/(i + pr·l)%b, n/j%b], or in other blocks of rows: block_of_others; from the left, rows and columns trade places
// Received, mean over p = pr·pc·L ranks, F = n/b blocks:
//   T  n(n+1)/2·(L-1)/p first, then n(n+1)/2·(pr-1)·L/p   X  mn·(F-1)/F·(pc-1)/p
void Trsm::in_copies() {
  const Affine line = Affine::along(r) + extent(r) * Affine::along(l);
  Layout first = triangle(by_rows(n), by_cols(n));
  first.where.push_back({l, 0});
  const bool on_first = p.a && p.a->same_ownership(first, p.ranks);
  const Layout a = on_first ? first : triangle(over_all_rows(n, b, line), by_cols(n)),
               all = triangle(by_rows(n), by_cols(n));
  const Slot own = s.input("A", p.a.value_or(a), a, p.triangle);
  A = s.room_for(own, all.rows, all.cols, {}, SlotInfo::Role::buffer);
  for (Range K : slices({0, n}, b)) {
    const Int block = K.lo / b, layer = on_first ? 0 : block / extent(r) % extent(l);
    const Layout::Where row{r, block % extent(r)}, column{c, block % extent(c)};
    const Range beside = ascending ? Range{K.hi, n} : Range{0, K.lo};
    s.bcast(of_t(own, K, K, {row, column, {l, layer}}), of_t(A, K, K, {row, column}), l, layer);
    if (beside.empty()) continue;
    s.bcast(of_t(own, K, Part::within(beside), {row, {l, layer}}), of_t(A, K, Part::within(beside), {row}), l, layer);
  }
  const auto dealt_in = [&](Int block) { return layout(over_all_rows(m, block, line), by_cols(n)); };
  const bool stays = p.b && p.b->same_ownership(dealt_in(b), p.ranks);
  start(dealt_in(stays ? b : block_of_others(p, b, extent(r) * extent(l))));
  sums = B;
}

namespace {

using Form = GridAndBlock;
std::string print(const Form& f) { return print("trsm25d", f); }
Form parse(std::string_view text) { return parse_grid_and_block(text, "trsm25d 4x4x2 b=64"); }

Schedule make(const SolveProblem& p, const Form& f) {
  require_few_panels(p.order(), f.b);
  const Turned::Copies copies{f.pr, f.pc, f.layers};
  Trsm solution(p, Turned(print(f), Trsm::problem(p), p.side == Side::left, copies, f.b, p.ranks));
  solution.in_copies();
  return solution.schedule();
}

// In layers, on the grids and with the blocks of those by steps; and a copy of the triangle for each rank. Rows of
// ranks of all layers have right-hand sides.
std::vector<Form> variants(const SolveProblem& p) {
  const bool turned = p.side == Side::left;
  std::vector<Form> all;
  for (const Form& f : grids_and_blocks(p.ranks, p.order(), {}, turned)) {
    const Int rows = f.layers * (turned ? f.pc : f.pr), columns = turned ? f.pr : f.pc;
    const bool all_busy = rows_with_some(p, f.b, rows) == rows && columns <= ceil_div(p.order(), f.b);
    if (f.layers > 1 && all_busy) all.push_back(f);
    if (f.layers == 1 && f.pr == 1) all.push_back({1, 1, rows_with_some(p, f.b, p.ranks), f.b});
  }
  return all;
}

// Rows of B as on a grid with the layers' rows one below the other.
Sketch sketch(const SolveProblem& p, const Form& f) {
  const bool turned = p.side == Side::left;
  const Form line = f.flat(!turned);
  const Panels x = panels_of(p, line);
  const double m = real(right_hand_sides(p)), L = real(f.layers), pr = x.pr / L, all = x.n * x.n / 2 / x.ranks();
  Sketch s = x.sketch(m);
  s.grid = {f.pr, f.pc, f.layers};
  s.held = (x.least_rows(m) + x.least(x.n, x.pr) + x.least(x.n, pr)) * x.least(x.n, x.pc);
  s.brought = brought(p.a, p.triangle, line, 1) + brought(p.b, Uplo::full, line, 2);
  s.across = x.across(m * x.n * (x.pc - 1) / x.ranks(), Panels::depth(x.pc), Panels::passes(x.pc) * s.rows * x.b);
  s.down = x.down(all * (pr - 1) * L, Panels::depth(pr), Panels::passes(pr) * x.n / (2 * x.pc) * x.b);
  s.up = x.up(all * (L - 1), Panels::depth(L), Panels::passes(L) * x.n / (2 * x.pc) * x.b / pr);
  s.flops = s.rows * x.b * x.n;
  return s;
}

}  // namespace

AlgorithmFor<SolveProblem> trsm25d_algorithm() {
  return TypedFor<SolveProblem, Form>{"trsm25d", parse, print, make, variants, sketch};
}

}  // namespace cairn
