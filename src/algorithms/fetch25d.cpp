#include "algorithms/fetch25d.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "algorithms/operands.hpp"
#include "algorithms/outline.hpp"
#include "schedule/builder.hpp"

namespace cairn {

namespace {

using Form = Fetch25d;

// How many pieces apart those begin that `lines` of a grid fetch first, in all layers: V/lines, so that they ask owners
// far apart; or one after another, where with that fewer ask the same of `owners`, who have as many pieces each.
Int stride(Int V, Int lines, Int layers, Int owners) {
  const auto most_asked = [&](Int apart) {
    Int most = 0;
    for (Int t = 0; t < V / owners; ++t) {
      std::vector<Int> asked(static_cast<std::size_t>(owners));
      for (Int x = 0; x < lines; ++x)
        for (Int l = 0; l < layers; ++l)
          most = std::max(most, ++asked[static_cast<std::size_t>((x * apart + V / layers * l + t) % V * owners / V)]);
    }
    return most;
  };
  return most_asked(1) < most_asked(V / lines) ? 1 : V / lines;
}

// 2.5D by fetching.  [dbcsr-25d-rma-2017 Algorithm 2, for any numbers of layers that divide the grid]
//   A[m/(i,r), k/(j,c)]   B[k/(i,r), n/(j,c)]   C[m/(i,r), n/(j,c)]     layer l = r + lr·c, V pieces of k
// Ranks that differ in r and c only compute the same part of C, each from the pieces of k of its layer: in step t
//   C+[m/i, n/j] += A1[m/i, k/s] B1[k/s, n/j],   s = di·i + dj·j + l·V/L + t modulo V
// Received: at most mk/(pr·lc) + kn/(pc·lr) + (lr·lc - 1)·mn/(pr·pc)
Schedule fetch25d(const GemmProblem& p, const Form& f) {
  const Int V = pieces(f), L = f.layers(), I = f.pr / f.lr, J = f.pc / f.lc;
  Builder s(print(f), p.m, p.n, p.k, Grid({{"i", I}, {"r", f.lr}, {"j", J}, {"c", f.lc}}), p.ranks);
  const int i = 0, r = 1, j = 2, c = 3;
  const auto by = [&](int axis) { return Cut::even(s.grid(), axis); };
  const auto by_two = [&](int outer, int inner) {
    return s.grid().extent(inner) > 1 ? std::vector{by(outer), by(inner)} : std::vector{by(outer)};
  };
  const Range m{0, p.m}, n{0, p.n}, k{0, p.k};
  const Slot A = input_a(s, p, s.layout(m, by_two(i, r), k, by_two(j, c), Order::col));
  const Slot B = input_b(s, p, s.layout(k, by_two(i, r), n, by_two(j, c), Order::row));
  const Slot C = output_c(s, p, s.layout(m, by_two(i, r), n, by_two(j, c), Order::col));
  const Order order = s.layout(C).order;
  const Slot sum = L > 1 ? s.partial_sum("C+", s.layout(m, {by(i)}, n, {by(j)}, order)) : C;
  const Int di = stride(V, I, L, f.pr), dj = stride(V, J, L, f.pc);
  const Affine layer = Affine::along(r) + f.lr * Affine::along(c),
               start = di * Affine::along(i) + dj * Affine::along(j) + V / L * layer;
  for (Int t = 0; t < V / L; ++t) {
    const Cut piece = Cut::numbered(start + t, V);
    const Slot A1 = s.fetch(A, s.layout(m, {by(i)}, k, {piece}, s.layout(A).order));  // A1[m/i, k/s]
    const Slot B1 = s.fetch(B, s.layout(k, {piece}, n, {by(j)}, s.layout(B).order));  // B1[k/s, n/j]
    s.gemm(A1, B1, sum);                                                              // C+[m/i, n/j] += A1 B1
  }
  const bool in_two = f.lr > 1 && f.lc > 1;
  const Slot of_rows = in_two ? s.partial_sum("C+", s.layout(m, by_two(i, r), n, {by(j)}, order)) : C;
  if (f.lr > 1) s.reduce_scatter(sum, of_rows, r);
  if (f.lc > 1) s.reduce_scatter(in_two ? of_rows : sum, C, c);
  return s.done();
}

MadeAlgorithm make(const GemmProblem& p, const Form& f) {
  const Int L = f.layers(), rounds = pieces(f) / L;
  return {f.crossed ? fetch25d_crossed(p, f) : fetch25d(p, f), {f.pr / f.lr, f.pc / f.lc, L}, rounds};
}

std::vector<Form> variants(const Sought& sought) {
  constexpr Int most_pieces = 1024;
  std::vector<Form> all;
  for (const auto& [pr, pc] : grids_2d(sought))
    for (Int lr = 1; lr <= pr; ++lr)
      for (Int lc = 1; lc <= pc; ++lc)
        if (const Int V = std::lcm(pr, pc); pr % lr == 0 && pc % lc == 0 && V <= most_pieces && V % (lr * lc) == 0)
          all.push_back({pr, pc, lr, lc});
  return all;
}

Outline outline(const Sought& sought, const Form& f) {
  const Int V = pieces(f);
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): V is not 0
  return spread_evenly(sought, {f.pr / f.lr, f.pc / f.lc, f.layers()}, 'k', V / f.layers(), sought.dims.k / V);
}

}  // namespace

// Not compared for dense products: in its own layouts COSMA cuts them alike and receives less.
Algorithm fetch25d_algorithm() {
  return Typed<Form>{"fetch25d", parse_fetch25d, print, make, variants, outline, nullptr, false};
}

}  // namespace cairn
