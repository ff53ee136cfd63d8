// Cholesky factorisation of a matrix in triangle blocks: about half the words of a block-cyclic one.
#include "algorithms/triangle.hpp"

#include "algorithms/panels.hpp"
#include "algorithms/triangle_blocks.hpp"
#include "algorithms/triangles_turned.hpp"
#include "cairn/error.hpp"

namespace cairn {

namespace {

using At = std::vector<Layout::Where>;

struct Triangle : Turned {
  Int n;
  TriangleBlocks blocks;
  Dim held;      // rows, or columns, of the classes of each rank
  Slot A, sums;  // what the layers subtract, each for itself; A on one layer

  Triangle(const FactoriseProblem& p, const TriangleForm& f)
      : Turned(print_triangle(f), Factorise{p.n, p.triangle}, p.triangle == Uplo::upper, f.ranks, f.layers, f.b,
               p.ranks),
        n(p.n),
        blocks(triangle_blocks(f.ranks)),
        held(dealt(blocks.holders)) {
    if (p.triangle == Uplo::full) throw ArgumentError("triangle: full, expected lower or upper");
    const Layout own = layout(held, over_layers(held));
    A = sums = s.in_place("A", p.a.value_or(own), own, p.triangle);
    if (layers == 1) return;
    sums = s.partial_sum("A+", layout(held, held), p.triangle);
    s.scale(Factor::zero, sums);
  }

  Dim dealt(Holders holders) const { return {{0, n}, {Cut::classes(s.grid(), r, wide, std::move(holders))}}; }
  Slot room_for(Slot x, const Dim& rows, const Dim& cols, const At& at = {}) {
    return turned ? s.room_for(x, cols, rows, at) : s.room_for(x, rows, cols, at);
  }

  // The turn of a wide block column to be finished: its class, and how often that had its turn before.
  struct Turn {
    Int of, round;
  };

  // Block column K, and what it does to the rest G of its wide one. Copies that will be overwritten are summed up, too:
  // they lie among what is solved.
  void factor(Range K, Range G, Turn turn, Int layer) {
    const Int first = blocks.turn(turn.of, turn.of, turn.round);
    const Part from_k = Part::within({K.lo, n}), below = Part::within({K.hi, n});
    const Dim here = Part::within(K).of(held);
    At at, on_diagonal{{r, first}};
    if (layers > 1) at.push_back({l, layer}), on_diagonal.push_back(at.front());
    if (layers > 1 && K.lo > 0) s.reduce(part(sums, from_k, here), part(A, from_k, here, at), l, layer);
    const Slot A11 = part(A, K, K, on_diagonal), L11 = room_for(A11, here, here, at);
    s.potrf(A11);
    s.take(A11, L11, r, first);
    s.put(L11, part(A, here, here, at));
    if (K.hi == n) return;
    const Slot A21 = part(A, below, here, at);
    solve(L11, Op::adjoint, Diag::stored, A21);
    if (G.empty()) return;
    const Dim rows = Part::within(G).of(held);
    const Slot L21 = part(A, rows, here, at), copies = room_for(A21, rows, here, at);
    s.take(L21, copies, r, first);
    s.put(copies, L21);
    subtract(A21, L21, Op::adjoint, part(sums, below, rows, at));
  }

  // What several ranks hold is taken from the one whose turn it is, so that all have the same.
  //   A[n/x%b{holders}, n/x%b{holders}], lower; of an upper triangle, rows and columns trade places
  //   in layers A[n/x%Lb{holders}, n/(x%Lb{holders}, l%b)]
  // [aldaas-spaa23; sbc-sc22; conflux-sc21]  Received, mean over p ranks in L layers, z of each hold a class, T = n/b
  // blocks a column, F = T/L wide ones:
  //   L11  b(b+1)/2·(z-1)/p·T    L21  b²·(z-1)/p·L²·F(F-1)/2    within a wide column  b²·(z-1)/p·F·L(L-1)/2
  //   sums  b²·(L-1)/p·T(T-1)/2 and what copies add;  all  n²/2·(z - 1 + L - 1)/p
  void factor(Range W) {
    const Int block = W.lo / wide;
    const Turn turn{block % blocks.classes(), block / blocks.classes()};
    for (Range K : slices(W, b))
      if (!K.empty()) factor(K, {K.hi, W.hi}, turn, (K.lo - W.lo) / b);
    if (W.hi == n) return;
    const Part below = Part::within({W.hi, n});
    const Dim here = over_layers(Part::within(W).of(held)), cols = over_layers({W, {}});
    const Dim shared = below.of(dealt(blocks.sharing(turn.of)));
    const Slot A21 = part(A, below, here, {}), L21 = room_for(A21, below.of(held), cols);
    for (Int rank : blocks.holders[static_cast<std::size_t>(turn.of)])
      s.take(A21, part(L21, below.of(dealt(blocks.served_by(rank, turn.of, turn.round))), cols, {}), r, rank);
    s.put(part(L21, shared, here, {}), part(A, shared, here, {}));
    subtract(L21, L21, Op::adjoint, part(sums, below, below, {}));
  }

  Schedule schedule() {
    for (Range W : slices({0, n}, wide)) factor(W);
    return s.done();
  }
};

}  // namespace

Schedule triangle(const FactoriseProblem& p, const TriangleForm& f) {
  require_few_panels(p.n, f.b);
  return Triangle(p, f).schedule();
}

}  // namespace cairn
