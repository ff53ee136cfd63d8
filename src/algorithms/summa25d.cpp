// 2.5D SUMMA: copies of A and B on every layer of ranks, a share of the panels on each.
#include <fmt/format.h>

#include "algorithms/arguments.hpp"
#include "algorithms/operands.hpp"
#include "algorithms/outline.hpp"
#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "schedule/builder.hpp"

namespace cairn {

namespace {

struct Form {
  Int pr, pc, layers;  // the grid; layers is the replication factor c
  Int b;               // the most inner indices in a panel

  // Panels that a layer multiplies: enough for panels of at most b and for one on every row and column of ranks.
  Int rounds(Int k) const {
    return std::max<Int>({1, ceil_div(ceil_div(k, layers), b), ceil_div(std::max(pr, pc), layers)});
  }
};

std::string print(const Form& f) { return fmt::format("summa25d {}x{}x{} b={}", f.pr, f.pc, f.layers, f.b); }

Form parse(std::string_view text) {
  Arguments arguments(text, "summa25d 4x4x2 b=256");
  const std::vector<Int> grid = arguments.sizes(3);
  const Form f{grid[0], grid[1], grid[2], arguments.number("b")};
  arguments.finish();
  return f;
}

// 2.5D SUMMA.  [communication-avoiding-overlapping-2012 Algorithm 1]
//   A[m/i, k/j] at l=0   B[k/i, n/j] at l=0   C[m/i, n/j] at l=0      k in L·T panels, dealt to i and to j
// Received, for even pieces:  on layer l>0   (mk + kn)/(pr pc) for the copies
//   on every layer  mk/(pr L)·(1-1/pc) + kn/(pc L)·(1-1/pr)   at l=0  (L-1)·mn/(pr pc) for the sum
Schedule summa25d(const GemmProblem& p, const Form& how) {
  const Int pr = how.pr, pc = how.pc, L = how.layers, T = how.rounds(p.k);
  Builder s(print(how), p.m, p.n, p.k, Grid({{"i", pr}, {"j", pc}, {"l", L}}), p.ranks);
  if (T > most_turns)
    throw ArgumentError(
        fmt::format("algorithm: panels of b={} make {} rounds, expected at most {}, as in summa25d 4x4x2 b=256", how.b,
                    T, most_turns));
  const int i = 0, j = 1, l = 2;
  const Int width = std::max<Int>(1, ceil_div(p.k, L * T));
  const auto dealt = [&](Int parts, Affine index) {
    return Cut{Cut::Kind::cyclic, parts, std::move(index), width, width, {}};
  };
  const auto on_layer_0 = [&](Layout layout) {
    layout.where = {{l, 0}};
    return layout;
  };
  const Range m{0, p.m}, n{0, p.n}, k{0, p.k};
  const Cut by_i = Cut::even(s.grid(), i), by_j = Cut::even(s.grid(), j);
  const Cut k_by_i = dealt(pr, Affine::along(i)), k_by_j = dealt(pc, Affine::along(j));
  Slot A = input_a(s, p, on_layer_0(s.layout(m, {by_i}, k, {k_by_j}, Order::col)));
  Slot B = input_b(s, p, on_layer_0(s.layout(k, {k_by_i}, n, {by_j}, Order::row)));
  const Slot C = output_c(s, p, on_layer_0(s.layout(m, {by_i}, n, {by_j}, Order::col)));
  A = s.bcast(A, l, 0);
  B = s.bcast(B, l, 0);
  const Slot Cl = L == 1 ? C : s.partial_sum("C+", s.layout(m, {by_i}, n, {by_j}, s.layout(C).order));
  for (Int t = 0; t < T; ++t) {
    const Affine panel = T * Affine::along(l) + t;  // the t-th of layer l's share, owned by panel mod pc (mod pr)
    const Dim k1{k, {dealt(L * T, panel)}};
    const Slot A1 = s.bcast(A, s.all, k1, j, panel);  // A1[m/i, k1]
    const Slot B1 = s.bcast(B, k1, s.all, i, panel);  // B1[k1, n/j]
    s.gemm(A1, B1, Cl);                               // Cl[m/i, n/j] += A1 B1
  }
  if (L > 1) s.reduce(Cl, C, l, 0);
  return s.done();
}

MadeAlgorithm make(const GemmProblem& p, const Form& f) {
  return {summa25d(p, f), {f.pr, f.pc, f.layers}, f.rounds(p.k)};
}

Outline outline(const Sought& sought, const Form& f) {
  const Int T = f.rounds(sought.dims.k), width = std::min(sought.dims.k, ceil_div(sought.dims.k, f.layers * T));
  Outline o = in_layers(sought, {f.pr, f.pc, f.layers}, T, width);
  const auto& [m, n, k] = sought.dims;
  o.before_last -= real(width * ((f.pc > 1 ? m / f.pr : 0) + (f.pr > 1 ? n / f.pc : 0)));  // may own a panel more
  o.thinnest = f.layers == 1 && f.b == 1;
  return o;
}

std::vector<Form> variants(const Sought& sought) {
  std::vector<Form> all;
  for (const auto& [pr, pc, L] : grids_3d(sought)) {
    const Int share = std::max<Int>(1, ceil_div(sought.dims.k, L)),
              fewest = std::max<Int>(1, ceil_div(std::max(pr, pc), L));
    for (Int b : widths(ceil_div(share, fewest), 8, share)) all.push_back({pr, pc, L, b});
    const auto too_large = [&] {
      return sought.memory_words && outline(sought, all.back()).memory > real(*sought.memory_words);
    };
    for (Int b = all.back().b / 4; too_large() && b >= 1 && sought.dims.k / b < most_turns; b /= 4)
      all.push_back({pr, pc, L, b});
  }
  return all;
}

}  // namespace

Algorithm summa25d_algorithm() { return Typed<Form>{"summa25d", parse, print, make, variants, outline}; }

}  // namespace cairn
