// Solution of triangular systems with many right-hand sides, on one layer of ranks or on several.
#include "algorithms/trsm.hpp"

#include "algorithms/panels.hpp"
#include "base/arithmetic.hpp"

namespace cairn {

// Rows of T go to rows and layers of ranks, so that a layer has those that it multiplies with.
void Trsm::by_steps() {
  const Dim rows = over_layers({{0, n}, {{Cut::Kind::cyclic, extent(r), Affine::along(r), wide, wide, {}}}});
  const Layout a = triangle(rows, by_cols(n));
  A = s.input("A", p.a.value_or(a), a, p.triangle);
  start(layout(others(), over_layers(by_cols(n))));
  sums = B;
  if (layers == 1) return;
  sums = s.partial_sum("B+", layout(others(), by_cols(n)));
  s.scale(Factor::zero, sums);
}

// Rows × columns of T, which all of the line get from its row of ranks.
Slot Trsm::given(Dim rows, const Part& cols, Int row, std::vector<Layout::Where> at) {
  at.push_back({r, row});
  return bcast(of_t(A, std::move(rows), cols, at), Builder::all, Builder::all, r, row);
}

// Block column X, given to the columns of ranks that hold one of so many that are left.
Slot Trsm::given_onwards(Slot X, Int column, Int blocks) {
  constexpr Int few = 8;  // for each column of ranks: the words are many, and the messages from one rank few
  const bool to_all =
      s.grid().axes() > 2 || blocks > few || blocks >= extent(c) - 1 || ceil_div(n, b) > few * extent(c);
  if (to_all) return bcast(X, Builder::all, Builder::all, c, column);
  Layout everywhere = s.layout(X);
  std::erase_if(everywhere.where, [this](Layout::Where w) { return w.axis == c; });
  const Slot all = s.room_for(X, everywhere.rows, everywhere.cols, everywhere.where);
  s.take(X, all, c, column, wrap(ascending ? column + 1 : column - blocks, extent(c)), blocks);
  return all;
}

// Block column K, and what it does to the rest G of its wide one.
void Trsm::solve_block(Range K, Range G, Int column, Int row, Int layer) {
  std::vector<Layout::Where> at{{c, column}};
  if (layers > 1) at.push_back({l, layer});
  if (layers > 1 && (ascending ? K.lo > 0 : K.hi < n))
    s.reduce(part(sums, Builder::all, K, {{c, column}}), part(B, Builder::all, K, at), l, layer);
  const Slot T = given({K, {}}, K, row, at), X = part(B, Builder::all, K, at);
  solve(T, p.op, p.diag, X);
  if (!G.empty()) subtract(X, given({K, {}}, G, row, at), p.op, part(sums, Builder::all, G, at));
}

// Right-looking substitution.  [communication-avoiding-overlapping-2012 §II.B, §VI]
//   T[n/(i%Lb, l%b), n/j%Lb]   B[m/i%b, n/(j%Lb, l%b)]; from the left, rows and columns trade places
// Received, mean over p = pr·pc·L ranks, F = n/(Lb) wide columns:
//   X  mn·(F-1)/F·(pc-1)/p   T  n(n+1)/2·(pr-1)/p   sums  m(n-b)·(L-1)/p
// or on one layer of few blocks X less: given_onwards
Schedule Trsm::schedule() {
  for (Range W : in_order({0, n}, wide)) {
    const Int column = W.lo / wide % extent(c), row = W.lo / wide % extent(r);
    for (Range K : in_order(W, b))
      if (!K.empty()) solve_block(K, ascending ? Range{K.hi, W.hi} : Range{W.lo, K.lo}, column, row, (K.lo - W.lo) / b);
    const Range R = ascending ? Range{W.hi, n} : Range{0, W.lo};
    if (R.empty()) break;
    const Slot X1 = part(B, Builder::all, over_layers({W, {}}), {{c, column}});
    const Slot X = given_onwards(X1, column, ceil_div(R.size(), b));
    const Slot T = given(over_layers({W, {}}), Part::within(R), row, {});
    subtract(X, T, p.op, part(sums, Builder::all, Part::within(R), {}));
  }
  return s.done();
}

namespace {

using Form = GridAndBlock;
std::string print(const Form& f) { return print("trsm", f); }
Form parse(std::string_view text) { return parse_grid_and_block(text, "trsm 4x4x2 b=64"); }

Schedule make(const SolveProblem& p, const Form& f) {
  require_few_panels(p.order(), f.b);
  Trsm solution(p, Turned(print(f), Trsm::problem(p), p.side == Side::left, f.pr, f.pc, f.layers, f.b, p.ranks));
  solution.by_steps();
  return solution.schedule();
}

Sketch sketch(const SolveProblem& p, const Form& f) {
  const Panels x = panels_of(p, f);
  const double m = real(right_hand_sides(p)), row = x.n / (2 * x.pc) * x.b;
  Sketch s = x.sketch(m);
  s.held = x.held(m, m, true);
  s.brought = brought(p.a, p.triangle, f, 1, p.op != Op::none) + brought(evened(p), Uplo::full, f.flat(x.turned), 2);
  const double panel = s.rows * x.b, up = Panels::depth(x.layers), across = Panels::passes(x.pc);
  s.across = x.across(m * x.n * (x.pc - 1) / x.ranks(), Panels::depth(x.pc) / x.layers, across * panel / x.layers);
  s.down = x.down(x.n * x.n / 2 * (x.pr - 1) / x.ranks(), Panels::depth(x.pr), Panels::passes(x.pr) * row / x.layers);
  s.up = x.up(m * x.n * (x.layers - 1) / x.ranks(), up, up * panel);
  s.flops = panel * x.n;
  return s;
}

}  // namespace

AlgorithmFor<SolveProblem> trsm_algorithm() {
  return TypedFor<SolveProblem, Form>{"trsm", parse, print, make, grids_without_idle, sketch};
}

}  // namespace cairn
