// Solution with a transposed triangle where it lies. Of one as it is stored, trsm moves as much.
#include "algorithms/panels.hpp"
#include "algorithms/trsm.hpp"
#include "base/arithmetic.hpp"
#include "cairn/error.hpp"

namespace cairn {

namespace {

using Form = GridAndBlock;
std::string print(const Form& f) { return print("trsm_lazy", f); }
Form parse(std::string_view text) { return parse_grid_and_block(text, "trsm_lazy 4x4 b=64"); }

struct LazyTrsm : TriangularSolution {
  LazyTrsm(const SolveProblem& problem, const Form& f)
      : TriangularSolution(problem, Turned(print(f), TriangularSolution::problem(problem), problem.side == Side::left,
                                           f.pr, f.pc, 1, f.b, problem.ranks)) {
    if (f.layers > 1) throw ArgumentError("trsm_lazy: in layers, expected one, as in trsm_lazy 4x4 b=64");
    const Layout a = triangle(by_cols(n), by_rows(n));
    A = s.input("A", p.a.value_or(a), a, p.triangle);
    start(layout(others(), by_cols(n)));
  }

  Int column(Range K) const { return K.lo / b % extent(c); }
  Range before(Range K) const { return ascending ? Range{0, K.lo} : Range{K.hi, n}; }
  // Block column K of T as far as its diagonal, which all of the line get from the row of ranks that holds it.
  struct Given {
    Slot before = -1, on_diagonal = -1;
  };
  Given given(Range K) {
    const Int row = K.lo / b % extent(r);
    const auto to_all = [&](Slot x) { return bcast(x, Builder::all, Builder::all, r, row); };
    Given T;
    if (!before(K).empty()) T.before = to_all(of_t(A, Part::within(before(K)), K, {{r, row}}));
    T.on_diagonal = to_all(of_t(A, K, K, {{r, row}, {c, column(K)}}));
    return T;
  }
  void subtract_all(Slot T, Range J, Slot C) {
    subtract(part(B, Builder::all, Part::within(J)), of_t(T, Part::within(J), Builder::all), p.op, C);
  }
  // What columns J contribute to column K.
  Slot contributed(Slot T, Range J, Range K) {
    const Slot sums = s.partial_sum("B+", layout(others(), {K, {}}));
    J.empty() ? s.scale(Factor::zero, sums) : subtract_all(T, J, sums);
    return sums;
  }

  // Left-looking substitution: a block column is brought up to date when its turn comes, by sums where X is, over which
  // T, as it lies, is dealt like X. Meanwhile the next one gets what older columns contribute.
  //   B[m/i%b, n/j%b]; A, transposed, [n/i%b, n/j%b]; from the left, rows and columns trade places
  // Received, mean over p = pr·pc ranks, F = n/b blocks:
  //   T  n(n+1)/2·(pr-1)/p   sums  m(n-b)·(pc-1)/p
  Schedule schedule() {
    const std::vector<Range> blocks = in_order({0, n}, b);
    Given T = given(blocks[0]);
    Slot sums = -1;
    for (std::size_t t = 0; t < blocks.size(); ++t) {
      const Range K = blocks[t], last = t > 0 ? blocks[t - 1] : Range{};
      const Range next = t + 1 < blocks.size() ? blocks[t + 1] : Range{};
      const std::vector<Layout::Where> here{{c, column(K)}}, there{{c, column(last)}};
      const Slot X = part(B, Builder::all, K, here);
      const Given T_next = next.empty() ? Given() : given(next);
      if (t > 0 && extent(c) == 1) subtract_all(T.before, before(K), X);
      if (t > 0 && extent(c) > 1) {
        subtract(part(B, Builder::all, last, there), of_t(T.before, last, Builder::all, there), p.op,
                 part(sums, Builder::all, Builder::all, there));
        s.reduce(sums, X, c, column(K));
      }
      if (!next.empty() && extent(c) > 1) sums = contributed(T_next.before, before(K), next);
      if (!K.empty()) solve(T.on_diagonal, p.op, p.diag, X);
      T = T_next;
    }
    return s.done();
  }
};

Schedule make(const SolveProblem& p, const Form& f) {
  require_few_panels(p.order(), f.b);
  return LazyTrsm(p, f).schedule();
}

std::vector<Form> variants(const SolveProblem& p) {
  std::vector<Form> all = grids_without_idle(p);
  std::erase_if(all, [&](const Form& f) { return f.layers > 1 || p.op == Op::none; });
  return all;
}

Sketch sketch(const SolveProblem& p, const Form& f) {
  const Panels x = panels_of(p, f);
  const double m = real(right_hand_sides(p)), last = x.pc > 1 ? 1 : 0;  // only the newest sum is waited for
  Sketch s = x.sketch(m);
  s.held = x.held(m, m, true);
  s.brought = brought(p.a, p.triangle, f, 1, p.op == Op::none) + brought(evened(p), Uplo::full, f, 2);
  s.across = x.across(m * x.n * (x.pc - 1) / x.ranks(), last, last * s.rows * x.b);
  // All of T can travel early, but for the first of it.
  s.down = x.down(x.n * x.n / 2 * (x.pr - 1) / x.ranks(), Panels::depth(x.pr) / x.blocks(), 0);
  s.flops = (1 + 2 * last) * s.rows * x.b * x.n;
  return s;
}

}  // namespace

AlgorithmFor<SolveProblem> trsm_lazy_algorithm() {
  return TypedFor<SolveProblem, Form>{"trsm_lazy", parse, print, make, variants, sketch};
}

}  // namespace cairn
