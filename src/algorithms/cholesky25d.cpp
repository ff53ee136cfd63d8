// Cholesky factorisation as the 2.5D algorithm of the paper does it: fat panels that all ranks factor, sums in copies.
#include "algorithms/cholesky25d.hpp"

#include "algorithms/panels.hpp"
#include "algorithms/triangles_turned.hpp"
#include "base/arithmetic.hpp"
#include "cairn/error.hpp"

namespace cairn {

namespace {

struct Cholesky25d : Turned {
  Int n, L, narrow, fat;  // L narrow blocks make one of b; the number of fat panels
  Slot A, sums;           // what the layers subtract, each for itself

  Cholesky25d(const FactoriseProblem& p, const Cholesky25dForm& f)
      : Turned(print_cholesky25d(f), Factorise{p.n, p.triangle}, p.triangle == Uplo::upper,
               Copies{f.pr, f.pc, f.layers}, f.b * f.layers, p.ranks),
        n(p.n),
        L(f.layers),
        narrow(f.b),
        fat(std::max<Int>(1, std::min(f.fat, ceil_div(n, b)))) {
    if (p.triangle == Uplo::full) throw ArgumentError("triangle: full, expected lower or upper");
    const Layout own = layout(rows_of(Affine::along(l)), by_cols(n));
    A = s.in_place("A", p.a.value_or(own), own, p.triangle);
    sums = s.partial_sum("A+", layout(by_rows(n), by_cols(n)), p.triangle);
    s.scale(Factor::zero, sums);
  }

  // Of every block of rows, one narrow block for each layer; those of one layer.
  Dim rows_of(const Affine& layer) const { return over_all_rows(n, narrow, L * Affine::along(r) + layer); }
  Cut by_layers(Int first = 0) const {
    return {Cut::Kind::cyclic, L, Affine::along(l) + Affine(-first), narrow, narrow, {}};
  }

  // Narrow block column K, on one column of ranks of all layers, and what it does to the rest G of its block column.
  void factor(Range K, Range G, Int block) {
    const Layout::Where column{c, block % extent(c)}, row{r, block % extent(r)};
    const Int layer = K.lo / narrow % L;
    const Part below = Part::within({K.hi, n});
    const Slot A11 = part(A, K, K, {column, row, {l, layer}}), A21 = part(A, below, K, {column});
    s.potrf(A11);
    if (K.hi == n) return;
    const Slot L11 = bcast(bcast(A11, K, K, l, layer), K, K, r, block);
    solve(L11, Op::adjoint, Diag::stored, A21);
    if (G.empty()) return;
    const Slot given = s.all_gather(part(A21, Dim{G, {by_layers(layer + 1)}}, K, {row}), l);
    subtract(A21, bcast(given, G, K, r, block), Op::adjoint, part(A, below, G, {column}));
  }

  // The fat panel W, on all ranks as on one grid of pr·L × pc.
  void factor(Range W) {
    for (Range V : slices(W, b)) {
      const Int block = V.lo / b;
      for (Range K : slices(V, narrow))
        if (!K.empty()) factor(K, {K.hi, V.hi}, block);
      if (V.hi == W.hi) break;
      const Range G{V.hi, W.hi};
      const Part below = Part::within({V.hi, n});
      const Slot A21 = part(A, below, V, {{c, block % extent(c)}});
      const Slot L21 = bcast(A21, Builder::all, Builder::all, c, block);
      const Slot mine = down_the_columns(L21, G, n, L), Q = L > 1 ? s.all_gather(mine, l) : mine;
      subtract(L21, Q, Op::adjoint, part(A, below, Part::within(G)));
    }
  }

  // A[R, R] -= L[R, W]·L[R, W]ᴴ, of which each layer subtracts its share: one narrow block of each block column.
  void update(Range R, Range W) {
    const Part rest = Part::within(R), of_w = Part::within(W);
    Dim mine = of_w.of(by_cols(n));
    mine.cuts.push_back(by_layers());
    const Slot P = room_for(A, rest.of(by_rows(n)), mine, SlotInfo::Role::buffer);
    for (Int layer = 0; layer < L; ++layer)
      s.take(part(A, rest, of_w), part(P, rest.of(rows_of(layer)), Builder::all), l, layer);
    for (Range V : slices(W, b)) {
      const Int block = V.lo / b;
      const Slot A21 = part(P, Builder::all, Dim{V, {by_layers()}}, {{c, block % extent(c)}});
      const Slot L21 = bcast(A21, Builder::all, Builder::all, c, block);
      subtract(L21, down_the_columns(L21, R, n), Op::adjoint, part(sums, rest, rest));
    }
  }

  // What all layers have subtracted from the fat panel W, added up where its elements are.
  void sum_up(Range W) {
    for (Range V : slices(W, b))
      for (Int layer = 0; layer < L; ++layer) {
        const Dim rows = Part::within({V.lo, n}).of(rows_of(layer));
        const Layout::Where column{c, V.lo / b % extent(c)};
        s.reduce(part(sums, rows, V, {column}), part(A, rows, V, {column, {l, layer}}), l, layer);
      }
  }

  // 2.5D Cholesky.  [communication-avoiding-overlapping-2012 §II.C, Figure 1, §VII]
  //   A[n/(i%Lb, l%b), n/j%Lb]   sums[n/i%Lb, n/j%Lb], lower; of an upper triangle, rows and columns trade places
  // Received: docs/algorithms/cholesky25d.md; for many fat panels of g blocks of L·b columns, mean over p = s·s·L
  // ranks:
  //   n²/2·((3 - 1/g)·(1 - 1/s)/(sL) + (L - 1/L)/p)
  Schedule schedule() {
    const Int blocks = ceil_div(n, b);
    for (Int panel = 0; panel < fat; ++panel) {
      const Range W{panel * blocks / fat * b, std::min(n, (panel + 1) * blocks / fat * b)};
      if (W.lo > 0) sum_up(W);
      factor(W);
      if (W.hi < n) update({W.hi, n}, W);
    }
    return s.done();
  }
};

}  // namespace

Schedule cholesky25d(const FactoriseProblem& p, const Cholesky25dForm& f) {
  require_few_panels(p.n, f.b);
  return Cholesky25d(p, f).schedule();
}

}  // namespace cairn
