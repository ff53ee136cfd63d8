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
  Slot fetch(Slot x, const Dim& rows, const Dim& cols) {
    return turned ? s.fetch(x, cols, rows) : s.fetch(x, rows, cols);
  }

  // What several ranks hold is taken from the one whose turn it is, so that all have the same.
  //   A[n/x%b{holders}, n/x%b{holders}], lower; of an upper triangle, rows and columns trade places
  // [aldaas-spaa23; sbc-sc22]  Received, mean over p ranks, z of them hold a class, T = n/b blocks a column:
  //   L11  b²·(z-1)/p·T    L21  b²·(z-1)/p·T(T-1)/2;  all  n²/2·(z-1)/p·(1 + 1/T)
  void factor(Range K) {
    const Int block = K.lo / b, of = block % blocks.classes(), round = block / blocks.classes();
    const Dim one = dealt(blocks.taking_turns(of, round)), shared = dealt(blocks.sharing(of));
    const Range below{K.hi, n};
    const Part k = Part::within(K), rest = Part::within(below);
    const Dim here = k.of(held);
    const Slot A11 = part(A, k.of(one), k.of(one), {});
    s.potrf(A11);
    const Slot L11 = fetch(A11, here, here);
    s.put(L11, part(A, here, here, {}));
    if (below.empty()) return;
    const Slot A21 = part(A, rest.of(held), here, {});
    solve(L11, Op::adjoint, Diag::stored, A21);
    const Slot L21 = fetch(part(A, rest.of(one), here, {}), rest.of(held), {K, {}});
    s.put(part(L21, rest.of(shared), here, {}), part(A, rest.of(shared), here, {}));
    subtract(L21, L21, Op::adjoint, part(A, rest.of(held), rest.of(held), {}));
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
  const double ranks = real(f.ranks), z = triangle_blocks(f.ranks).holders_of_a_class(), part = z / ranks,
               n = real(p.n), b = real(f.b);
  Sketch s;
  s.grid = {f.ranks, 1, 1}, s.b = f.b;
  s.rows = s.cols = part * n, s.share = part * part, s.held = part * part * n * n;
  s.across = {f.ranks, n * n / 2 * (z - 1) / ranks, n / b * (z + 1), n * n / 2 * part};
  s.brought = p.a && p.a->overlapping() ? 0 : p.a ? (part * part + 1 / ranks) * n * n : 0;
  s.flops = n * b * b / 3 + n * n * b / 2 * part;
  return s;
}

}  // namespace

AlgorithmFor<FactoriseProblem> triangle_algorithm() {
  return TypedFor<FactoriseProblem, Form>{"triangle", parse, print, make, variants, sketch};
}

}  // namespace cairn
