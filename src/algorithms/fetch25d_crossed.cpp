#include "algorithms/fetch25d.hpp"
#include "algorithms/operands.hpp"
#include "schedule/builder.hpp"

namespace cairn {

// On one layer, with k cut both ways: for panels of block-sparse matrices, whose rows and columns may lie by different
// places, so that most pieces of a rank meet nothing.  [docs/algorithms/fetch25d.md, "Crossed"]
//   A[m/i, k/(pr*, j)]   B[k/i, n/j]   C[m/i, n/j]     in step (t, u), of pr × pc pieces
//   C[m/i, n/j] += A1[m/i, k/(r, c)] B1[k/(r, c), n/j],   r = i + t modulo pr,  c = j + u modulo pc
// Received: mk/pr·(1-1/pc) + kn/pc·(1-1/pr)
Schedule fetch25d_crossed(const GemmProblem& p, const Fetch25d& f) {
  Builder s(print(f), p.m, p.n, p.k, Grid({{"i", f.pr}, {"j", f.pc}}), p.ranks);
  const int i = 0, j = 1;
  const Cut by_i = Cut::even(s.grid(), i), by_j = Cut::even(s.grid(), j);
  const Range m{0, p.m}, n{0, p.n}, k{0, p.k};
  const Slot A = input_a(s, p, s.layout(m, {by_i}, k, {Cut::each(f.pr), by_j}, Order::col));
  const Slot B = input_b(s, p, s.layout(k, {by_i}, n, {by_j}, Order::row));
  const Slot C = output_c(s, p, s.layout(m, {by_i}, n, {by_j}, Order::col));
  for (Int t = 0; t < f.pr; ++t)
    for (Int u = 0; u < f.pc; ++u) {
      const std::vector piece{Cut::numbered(Affine::along(i) + t, f.pr), Cut::numbered(Affine::along(j) + u, f.pc)};
      const Slot A1 = s.fetch(A, s.layout(m, {by_i}, k, piece, s.layout(A).order));  // A1[m/i, k/(r, c)]
      const Slot B1 = s.fetch(B, s.layout(k, piece, n, {by_j}, s.layout(B).order));  // B1[k/(r, c), n/j]
      s.gemm(A1, B1, C);                                                             // C[m/i, n/j] += A1 B1
    }
  return s.done();
}

}  // namespace cairn
