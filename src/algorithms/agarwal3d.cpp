// The 3D algorithm: a cube of ranks, one product each.
#include <fmt/format.h>

#include "algorithms/arguments.hpp"
#include "algorithms/operands.hpp"
#include "algorithms/outline.hpp"
#include "base/arithmetic.hpp"
#include "schedule/builder.hpp"

namespace cairn {

namespace {

using Form = std::array<Int, 3>;  // m cut among pm ranks, n among pn, k among pk

std::string print(const Form& f) { return fmt::format("agarwal3d {}x{}x{}", f[0], f[1], f[2]); }

Form parse(std::string_view text) {
  const std::vector<Int> grid = only_sizes(text, "agarwal3d 2x3x2", 3, 3);
  return {grid[0], grid[1], grid[2]};
}

// 3D.  [dekel-nassimi-sahni-1981; agarwal-1995; communication-avoiding-overlapping-2012 §II.A]
//   A[m/i, k/l] at j=0   B[k/l, n/j] at i=0   C[m/i, n/j] at l=0
// Received, for even pieces:
//   mk/(pm pk) at j>0  +  kn/(pk pn) at i>0  +  (pk-1)·mn/(pm pn) at l=0
Schedule agarwal3d(const GemmProblem& p, const Form& form) {
  const auto [pm, pn, pk] = form;
  Builder s(print(form), p.m, p.n, p.k, Grid({{"i", pm}, {"j", pn}, {"l", pk}}), p.ranks);
  const int i = 0, j = 1, l = 2;
  const Cut by_i = Cut::even(s.grid(), i), by_j = Cut::even(s.grid(), j), by_l = Cut::even(s.grid(), l);
  const auto face = [](Layout layout, int axis) {
    layout.where = {{axis, 0}};
    return layout;
  };
  const Layout c = s.layout({0, p.m}, {by_i}, {0, p.n}, {by_j}, Order::col);
  const Slot A = input_a(s, p, face(s.layout({0, p.m}, {by_i}, {0, p.k}, {by_l}, Order::col), j));
  const Slot B = input_b(s, p, face(s.layout({0, p.k}, {by_l}, {0, p.n}, {by_j}, Order::row), i));
  const Slot C = output_c(s, p, face(c, l));
  const Slot A1 = s.bcast(A, j, 0);  // A1[m/i, k/l]
  const Slot B1 = s.bcast(B, i, 0);  // B1[k/l, n/j]
  if (pk == 1) {
    s.gemm(A1, B1, C);
    return s.done();
  }
  Layout everywhere = c;
  everywhere.order = s.layout(C).order;
  const Slot sum = s.partial_sum("C+", std::move(everywhere));
  s.gemm(A1, B1, sum);  // C+[m/i, n/j] = A1 B1, one of pk terms
  s.reduce(sum, C, l, 0);
  return s.done();
}

MadeAlgorithm make(const GemmProblem& p, const Form& form) { return {agarwal3d(p, form), form, 1}; }

// Ranks off the faces receive whole blocks of A and B, those on C's face a term from each of the others.
Outline outline(const Sought& sought, const Form& form) {
  const auto [pm, pn, pk] = form;
  const auto& [m, n, k] = sought.dims;
  const Int M = ceil_div(m, pm), N = ceil_div(n, pn), K = ceil_div(k, pk);
  Outline o = spread_evenly(sought, form, 'k', 1, 0);
  o.received = 0;
  for (Int i : {Int{0}, std::min<Int>(1, pm - 1)})
    for (Int j : {Int{0}, std::min<Int>(1, pn - 1)}) {
      const Int mi = piece({0, m}, pm, i).size(), nj = piece({0, n}, pn, j).size();
      o.received = std::max(o.received, real((j > 0 ? mi * K : 0) + (i > 0 ? K * nj : 0) + (pk - 1) * mi * nj));
    }
  o.messages = (pm > 1) + (pn > 1);
  o.memory = real(M * K * (pn > 1 ? 2 : 1) + K * N * (pm > 1 ? 2 : 1) + M * N * (pk > 1 ? 2 : 1));
  o.product = {m / pm, n / pn, K};
  o.before_first = real((pn > 1 ? m / pm * K : 0) + (pm > 1 ? K * (n / pn) : 0));
  o.before_last = 0;
  o.after_last = pk > 1 ? real((m / pm) * (n / pn)) : 0;
  return o;
}

}  // namespace

Algorithm agarwal3d_algorithm() { return Typed<Form>{"agarwal3d", parse, print, make, grids_3d, outline}; }

}  // namespace cairn
