// Cholesky factorisation of a matrix in triangle blocks: about half the words of a block-cyclic one.
#include <fmt/format.h>

#include "algorithms/arguments.hpp"
#include "algorithms/panels.hpp"
#include "algorithms/triangle_blocks.hpp"
#include "algorithms/triangular.hpp"
#include "algorithms/turned.hpp"
#include "base/arithmetic.hpp"
#include "cairn/error.hpp"

namespace cairn {

namespace {

struct Form {
  Int ranks, b;
};
std::string print(const Form& f) { return fmt::format("triangle {} b={}", f.ranks, f.b); }
Form parse(std::string_view text) {
  Arguments arguments(text, "triangle 7 b=64");
  const Form f{arguments.sizes(1)[0], arguments.number("b")};
  arguments.finish();
  if (triangle_blocks(f.ranks).ranks == 0)
    arguments.refuse(
        fmt::format("{} ranks, expected 4, q*q+q+1 or q*q+q where q is 2, 3, 4, 5, 7, 8 or 9; or 3", f.ranks));
  return f;
}

struct Triangle : Turned {
  Int n;
  TriangleBlocks blocks;
  Dim held;  // rows, or columns, of the classes of each rank
  Slot A;

  Triangle(const FactoriseProblem& p, const Form& f)
      : Turned(print(f), Factorise{p.n, p.triangle}, p.triangle == Uplo::upper, f.ranks, f.b, p.ranks),
        n(p.n),
        blocks(triangle_blocks(f.ranks)),
        held(dealt(blocks.holders)) {
    if (p.triangle == Uplo::full) throw ArgumentError("triangle: full, expected lower or upper");
    const Layout own = layout(held, held);
    A = s.in_place("A", p.a.value_or(own), own, p.triangle);
  }

  Dim dealt(Holders holders) const { return {{0, n}, {Cut::classes(s.grid(), 0, b, std::move(holders))}}; }
  Slot room_for(Slot x, const Dim& rows, const Dim& cols) {
    return turned ? s.room_for(x, cols, rows) : s.room_for(x, rows, cols);
  }

  // What several ranks hold is taken from the one whose turn it is, so that all have the same.
  //   A[n/x%b{holders}, n/x%b{holders}], lower; of an upper triangle, rows and columns trade places
  // [aldaas-spaa23; sbc-sc22]  Received, mean over p ranks, z of them hold a class, T = n/b blocks a column:
  //   L11  b²·(z-1)/p·T    L21  b²·(z-1)/p·T(T-1)/2;  all  n²/2·(z-1)/p·(1 + 1/T)
  void factor(Range K) {
    const Int block = K.lo / b, of = block % blocks.classes(), round = block / blocks.classes();
    const Int first = blocks.turn(of, of, round);
    const Part k = Part::within(K), below = Part::within({K.hi, n});
    const Dim here = k.of(held), shared = below.of(dealt(blocks.sharing(of)));
    const Slot A11 = part(A, K, K, {{r, first}}), L11 = room_for(A11, here, here);
    s.potrf(A11);
    s.take(A11, L11, r, first);
    s.put(L11, part(A, here, here, {}));
    if (K.hi == n) return;
    const Slot A21 = part(A, below, here, {}), L21 = room_for(A21, below.of(held), {K, {}});
    solve(L11, Op::adjoint, Diag::stored, A21);
    for (Int rank : blocks.holders[static_cast<std::size_t>(of)])
      s.take(A21, part(L21, below.of(dealt(blocks.served_by(rank, of, round))), K, {}), r, rank);
    s.put(part(L21, shared, here, {}), part(A, shared, here, {}));
    subtract(L21, L21, Op::adjoint, part(A, below, below, {}));
  }

  Schedule schedule() {
    for (Range K : slices({0, n}, b))
      if (!K.empty()) factor(K);
    return s.done();
  }
};

Schedule make(const FactoriseProblem& p, const Form& f) {
  require_few_panels(p.n, f.b);
  return Triangle(p, f).schedule();
}

std::vector<Form> variants(const FactoriseProblem& p) {
  std::vector<Form> all;
  const Int ranks = most_in_triangle_blocks(p.ranks);
  for (Int b = 32; ranks > 0 && (b == 32 || (b <= 512 && 2 * b * ranks <= p.n)); b *= 2) all.push_back({ranks, b});
  return all;
}

Sketch sketch(const FactoriseProblem& p, const Form& f) {
  const TriangleBlocks blocks = triangle_blocks(f.ranks);
  const double ranks = real(f.ranks), z = blocks.holders_of_a_class(), part = z / ranks, n = real(p.n), b = real(f.b);
  const double classes = real(blocks.classes()), sent = part - 1 / classes;  // of L21, by one holder to each of others
  Sketch s;
  s.grid = {f.ranks, 1, 1}, s.b = f.b;
  s.rows = s.cols = part * (n + classes * b / 2);  // half a block too many of each class: all wait for the fullest rank
  s.share = n > 0 ? s.rows / n * s.cols / n : 1, s.held = part * part * n * n;
  s.across = {f.ranks, n * n / 2 * (z - 1) / ranks, n / b * (z + 1), n * n / 2 * sent * (z - 1)};
  s.brought = p.a && p.a->overlapping() ? 0 : p.a ? (part * part + 1 / ranks) * n * n : 0;
  s.flops = n * b * b / 3 + n * n * b / 2 * part;
  s.shared = true;
  return s;
}

}  // namespace

AlgorithmFor<FactoriseProblem> triangle_algorithm() {
  return TypedFor<FactoriseProblem, Form>{"triangle", parse, print, make, variants, sketch};
}

}  // namespace cairn
