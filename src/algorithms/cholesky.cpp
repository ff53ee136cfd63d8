// Cholesky factorisation of a block-cyclic matrix, on one layer of ranks or on several.

#include "algorithms/panels.hpp"
#include "algorithms/triangles_turned.hpp"
#include "algorithms/triangular.hpp"
#include "cairn/error.hpp"

namespace cairn {

namespace {

using Form = GridAndBlock;
std::string print(const Form& f) { return print("cholesky", f); }
Form parse(std::string_view text) { return parse_grid_and_block(text, "cholesky 4x4x2 b=64"); }

struct Cholesky : Turned {
  Int n;
  Slot A, sums;  // what the layers subtract, each for itself; A on one layer

  Cholesky(const FactoriseProblem& p, const Form& f)
      : Turned(print(f), Factorise{p.n, p.triangle}, p.triangle == Uplo::upper, f.pr, f.pc, f.layers, f.b, p.ranks),
        n(p.n) {
    if (p.triangle == Uplo::full) throw ArgumentError("triangle: full, expected lower or upper");
    const Layout own = layout(by_rows(n), over_layers(by_cols(n)));
    A = sums = s.in_place("A", p.a.value_or(own), own, p.triangle);
    if (layers == 1) return;
    sums = s.partial_sum("A+", layout(by_rows(n), by_cols(n)), p.triangle);
    s.scale(Factor::zero, sums);
  }

  std::vector<Layout::Where> here(Int column, Int layer) const {
    std::vector<Layout::Where> at{{c, column}};
    if (layers > 1) at.push_back({l, layer});
    return at;
  }

  // Block column K, and what it does to the rest G of its wide one.
  void factor(Range K, Range G, Int column, Int layer) {
    const auto at = here(column, layer);
    const Part from_k = Part::within({K.lo, n}), below = Part::within({K.hi, n});
    if (layers > 1 && K.lo > 0) s.reduce(part(sums, from_k, K, {{c, column}}), part(A, from_k, K, at), l, layer);
    auto on_diagonal = at;
    on_diagonal.push_back({r, K.lo / b % extent(r)});
    const Slot A11 = part(A, K, K, on_diagonal), A21 = part(A, below, K, at);
    s.potrf(A11);
    if (K.hi == n) return;
    const Slot L11 = bcast(A11, K, K, r, K.lo / b);
    solve(L11, Op::adjoint, Diag::stored, A21);
    if (G.empty()) return;
    subtract(A21, along_rows(A21, G), Op::adjoint, part(sums, below, G, at));
  }

  // Right-looking Cholesky.  [communication-avoiding-overlapping-2012 §II.C, §VII, Figure 1]
  //   A[n/i%b, n/(j%Lb, l%b)], lower; of an upper triangle, rows and columns trade places
  // Received, mean over p = pr·pc·L ranks, T = n/b blocks a column, F = T/L wide ones:
  //   L11   b(b+1)/2·(T-1)(pr-1)/p    within a wide column  b²·(pr-1)/p·F·L(L-1)/2    sums  b²·(L-1)/p·T(T-1)/2
  //   panels, along rows and down columns  b²·(pr+pc-2)/p·L²·F(F-1)/2;  all  n²/2·((1/pr + 1/pc - 2/(pr pc))/L +
  //   (L-1)/p), less what few blocks spare: down_the_columns
  Schedule schedule() {
    for (Range W : slices({0, n}, wide)) {
      const Int column = W.lo / wide % extent(c);
      for (Range K : slices(W, b))
        if (!K.empty()) factor(K, {K.hi, W.hi}, column, (K.lo - W.lo) / b);
      if (W.hi == n) break;
      const Range R{W.hi, n};
      const Slot A21 = part(A, Part::within(R), over_layers({W, {}}), {{c, column}});
      const Slot L21 = bcast(A21, Builder::all, Builder::all, c, column), Q = down_the_columns(L21, R, n);
      subtract(L21, Q, Op::adjoint, part(sums, Part::within(R), Part::within(R), {}));
    }
    return s.done();
  }
};

Schedule make(const FactoriseProblem& p, const Form& f) {
  require_few_panels(p.n, f.b);
  return Cholesky(p, f).schedule();
}

std::vector<Form> variants(const FactoriseProblem& p) {
  return grids_of_blocks(p.ranks, p.n, p.a, p.triangle == Uplo::upper);
}

Sketch sketch(const FactoriseProblem& p, const Form& f) {
  const Panels x(f, p.n, p.triangle == Uplo::upper);
  const double column = x.n / (2 * x.pr) * x.b, row = x.n / (2 * x.pc) * x.b;  // words of a panel, in the mean
  const double all = x.n * x.n / 2, depth = Panels::depth(x.pr), up = Panels::depth(x.layers);
  // Passes of a chain of eight pieces, until the second rank has them all; where several rows send parts of a panel,
  // these chains are under way at once, but do not follow those of the panel before: until the last rank has them.
  constexpr double pieces = 8, most = 1 + 1 / pieces;
  const double parts = sources(x), passes = parts > 1 ? std::min(2.0, 1 + (x.pr - 1) / (pieces * parts)) : most,
               turns = parts > 1 ? 2 * parts : 1;
  Sketch s = x.sketch(x.n);
  s.held = x.held(x.n, x.n - x.layers * x.b, false), s.one_source = parts <= 1;
  s.brought = brought(p.a, p.triangle, f.flat(x.turned), 2);
  s.across = x.across(all * (x.pc - 1) / x.ranks(), Panels::depth(x.pc) / x.layers,
                      Panels::passes(x.pc, most) * column / x.layers);
  s.down = x.down(all * (x.pr - 1) / x.ranks(), (1 + turns) * depth,
                  depth * x.b * x.b + Panels::passes(x.pr, passes) * row / x.layers);
  s.up = x.up(all * (x.layers - 1) / x.ranks(), up, up * column);
  s.flops = x.n * x.b * x.b / 3 + x.n * (x.n - x.b) * x.b / (2 * x.pr);
  return s;
}

}  // namespace

AlgorithmFor<FactoriseProblem> cholesky_algorithm() {
  return TypedFor<FactoriseProblem, Form>{"cholesky", parse, print, make, variants, sketch};
}

}  // namespace cairn
