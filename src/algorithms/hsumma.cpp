// HSUMMA: SUMMA in two levels, between groups of ranks and inside them.
#include <fmt/format.h>

#include "algorithms/arguments.hpp"
#include "algorithms/operands.hpp"
#include "algorithms/outline.hpp"
#include "algorithms/panels.hpp"
#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "schedule/builder.hpp"
#include "schedule/effect.hpp"

namespace cairn {

namespace {

struct Form {
  Int pr, pc;           // rows and columns of the grid of ranks
  Int gr, gc;           // rows and columns of the grid of groups (the paper's I × J)
  Int M, b;             // width of a panel between groups, and inside them
  bool cyclic = false;  // matrices dealt in blocks of M, not cut into one piece a rank
};

std::string print(const Form& f) {
  return fmt::format("hsumma {}x{} groups={}x{} M={} b={}{}", f.pr, f.pc, f.gr, f.gc, f.M, f.b,
                     f.cyclic ? " cyclic" : "");
}

Form parse(std::string_view text) {
  Arguments arguments(text, "hsumma 8x8 groups=2x2 M=256 b=64 cyclic, the last if wanted");
  const std::vector<Int> grid = arguments.sizes(2), groups = arguments.sizes("groups", 2);
  Form f{grid[0], grid[1], groups[0], groups[1], arguments.number("M"), arguments.number("b")};
  f.cyclic = arguments.flag("cyclic");
  arguments.finish();
  return f;
}

void require(const Form& f) {
  if (f.pr % f.gr != 0 || f.pc % f.gc != 0)
    throw ArgumentError(
        fmt::format("algorithm: groups={}x{} do not tile a grid of {}x{}, expected a divisor of {} and "
                    "one of {}, as in hsumma 8x8 groups=2x2 M=256 b=64",
                    f.gr, f.gc, f.pr, f.pc, f.pr, f.pc));
  if (f.b > f.M)
    throw ArgumentError(
        fmt::format("algorithm: inner panels of b={} do not fit into outer ones of M={}, expected b of "
                    "at most M, as in hsumma 8x8 groups=2x2 M=256 b=64",
                    f.b, f.M));
}

// Hierarchical SUMMA.  [hsumma-2014 Algorithm 1]  I×J groups of i×j ranks each; on the axes (I, i) and (J, j)
//   A[m/(I,i), k/(J,j)]   B[k/(I,i), n/(J,j)]   C[m/(I,i), n/(J,j)]
// Received by every rank, as in SUMMA: mk/pr·(1-1/pc) + kn/pc·(1-1/pr), for even pieces. Each panel comes once, from
// another group or from inside its own.
Schedule hsumma(const GemmProblem& p, const Form& f) {
  require(f);
  require_few_panels(p.k, f.b);
  Builder s(print(f), p.m, p.n, p.k, Grid({{"I", f.gr}, {"J", f.gc}, {"i", f.pr / f.gr}, {"j", f.pc / f.gc}}), p.ranks);
  const int I = 0, J = 1, i = 2, j = 3;
  const Int M = std::min(f.M, std::max({p.m, p.n, p.k, Int{1}}));
  for (Int extent : {p.m, p.n, p.k})
    if (f.cyclic) require_few_panels(extent, M);
  const auto cuts = [&](int outer, int inner) -> std::vector<Cut> {
    if (!f.cyclic) return {Cut::even(s.grid(), outer), Cut::even(s.grid(), inner)};
    const Int q = s.grid().extent(inner);
    return {{Cut::Kind::cyclic, s.grid().extent(outer) * q, q * Affine::along(outer) + Affine::along(inner), M, M, {}}};
  };
  const std::vector<Cut> rows = cuts(I, i), cols = cuts(J, j);
  const Range m{0, p.m}, n{0, p.n}, k{0, p.k};
  const Slot A = input_a(s, p, s.layout(m, rows, k, cols, Order::col));
  const Slot B = input_b(s, p, s.layout(k, rows, n, cols, Order::row));
  const Slot C = output_c(s, p, s.layout(m, rows, n, cols, Order::col));
  const auto at = [&](int axis, Int rank) { return s.grid().index(rank, axis); };
  for (auto [k1, row, col] : panels(s.grid(), {k, rows}, {k, cols}, M)) {  // line 5
    const Slot A_col = s.part(A, s.all, s.all, {{j, at(j, col)}});         // line 6: only where j is the pivot's
    const Slot A1 = s.bcast(A_col, s.all, k1, J, at(J, col));              // line 9: A1[m/(I,i), k1] there
    const Slot B_row = s.part(B, s.all, s.all, {{i, at(i, row)}});         // line 10
    const Slot B1 = s.bcast(B_row, k1, s.all, I, at(I, row));              // line 13: B1[k1, n/(J,j)] there
    for (Range k2 : slices(k1, f.b)) {                                     // line 14
      const Slot A2 = s.bcast(A1, s.all, k2, j, at(j, col));               // line 17: A2[m/(I,i), k2] everywhere
      const Slot B2 = s.bcast(B1, k2, s.all, i, at(i, row));               // line 20: B2[k2, n/(J,j)] everywhere
      s.gemm(A2, B2, C);                                                   // line 21: C += A2 B2
    }
  }
  return s.done();
}

MadeAlgorithm make(const GemmProblem& p, const Form& f) {
  MadeAlgorithm made{hsumma(p, f), {f.pr, f.pc, 1}};
  made.rounds = computations(made.schedule);
  return made;
}

// All groups receive alike; how they differ in time only the clock knows.
std::vector<Form> variants(const Sought& sought) {
  std::vector<Form> all;
  for (const auto& [pr, pc] : grids_2d(sought)) {
    const Int piece = std::max<Int>(1, ceil_div(sought.dims.k, std::max(pr, pc)));
    const Int fits = std::max<Int>(1, width_that_fits(sought, {pr, pc, 1}, 'k') / 2);  // outer and inner at once
    const auto tried = groups(pr, pc);
    for (Int b : widths(piece, 4, fits))
      for (const auto& [gr, gc] : tried) all.push_back({pr, pc, gr, gc, b == fits ? b : piece, b});
  }
  return all;
}

Outline outline(const Sought& sought, const Form& f) {
  Outline o = in_panels(sought, {f.pr, f.pc, 1}, 'k', f.b);
  o.thinnest = f.M == 1;
  return o;
}

}  // namespace

Algorithm hsumma_algorithm() { return Typed<Form>{"hsumma", parse, print, make, variants, outline}; }

}  // namespace cairn
