#include "algorithms/summa.hpp"

#include "algorithms/operands.hpp"
#include "algorithms/panels.hpp"
#include "schedule/builder.hpp"

namespace cairn {

namespace {

constexpr int i = 0, j = 1;  // axes: rows and columns of the grid

struct Summa {
  Builder& s;
  const GemmProblem& p;
  Int b;
  std::vector<Cut> by_i, by_j;

  Layout layout(Int rows, const std::vector<Cut>& row_cuts, Int cols, const std::vector<Cut>& col_cuts,
                Order order) const {
    return s.layout({0, rows}, row_cuts, {0, cols}, col_cuts, order);
  }
  // Two layouts of one dimension, along axis i and along axis j, in panels.
  std::vector<Panel> panels_of(Int extent) const {
    return panels(s.grid(), {{0, extent}, by_i}, {{0, extent}, by_j}, b);
  }
  Int at(int axis, Int rank) const { return s.grid().index(rank, axis); }

  // C stays: panels of A and B are broadcast.  [vandegeijn-watts-1997; hsumma-2014 §2.3]
  //   A[m/i, k/j]   B[k/i, n/j]   C[m/i, n/j]       received: mk/pr·(1-1/pc) + kn/pc·(1-1/pr)
  void stationary_c() {
    const Slot A = input_a(s, p, layout(p.m, by_i, p.k, by_j, Order::col));
    const Slot B = input_b(s, p, layout(p.k, by_i, p.n, by_j, Order::row));
    const Slot C = output_c(s, p, layout(p.m, by_i, p.n, by_j, Order::col));
    for (auto [k1, row, col] : panels_of(p.k)) {
      const Slot A1 = s.bcast(A, s.all, k1, j, at(j, col));  // A1[m/i, k1]
      const Slot B1 = s.bcast(B, k1, s.all, i, at(i, row));  // B1[k1, n/j]
      s.gemm(A1, B1, C);                                     // C[m/i, n/j] += A1 B1
    }
  }

  // A stays: panels of B are broadcast, panels of C are summed.  [vandegeijn-watts-1997; schatz-2016]
  //   A[m/i, k/j]   B[k/j, n/i]   C[m/i, n/j]       received: kn/pc·(1-1/pr) + mn/pr·(1-1/pc)
  void stationary_a() {
    const Slot A = input_a(s, p, layout(p.m, by_i, p.k, by_j, Order::col));
    const Slot B = input_b(s, p, layout(p.k, by_j, p.n, by_i, Order::col));
    const Slot C = output_c(s, p, layout(p.m, by_i, p.n, by_j, Order::col));
    for (auto [n1, row, col] : panels_of(p.n)) {
      const Slot B1 = s.bcast(B, s.all, n1, i, at(i, row));  // B1[k/j, n1]
      const Slot sum = s.part(C, s.all, n1, {{j, at(j, col)}});
      const Slot C1 = partial(sum, j);  // C1[m/i, n1], one of pc terms
      s.gemm(A, B1, C1);
      if (C1 != sum) s.reduce(C1, sum, j, at(j, col));
    }
  }

  // B stays: panels of A are broadcast, panels of C are summed.
  //   A[m/j, k/i]   B[k/i, n/j]   C[m/i, n/j]       received: mk/pr·(1-1/pc) + mn/pc·(1-1/pr)
  void stationary_b() {
    const Slot A = input_a(s, p, layout(p.m, by_j, p.k, by_i, Order::row));
    const Slot B = input_b(s, p, layout(p.k, by_i, p.n, by_j, Order::row));
    const Slot C = output_c(s, p, layout(p.m, by_i, p.n, by_j, Order::row));
    for (auto [m1, row, col] : panels_of(p.m)) {
      const Slot A1 = s.bcast(A, m1, s.all, j, at(j, col));  // A1[m1, k/i]
      const Slot sum = s.part(C, m1, s.all, {{i, at(i, row)}});
      const Slot C1 = partial(sum, i);  // C1[m1, n/j], one of pr terms
      s.gemm(A1, B, C1);
      if (C1 != sum) s.reduce(C1, sum, i, at(i, row));
    }
  }

  // Room for a term of `sum` on every rank along the axis; alone on it, a rank computes the sum itself.
  Slot partial(Slot sum, int axis) const {
    if (s.grid().extent(axis) == 1) return sum;
    Layout everywhere = s.layout(sum);
    everywhere.where.clear();
    return s.partial_sum("C+", everywhere);
  }
};

}  // namespace

Schedule summa(const GemmProblem& p, const SummaForm& f) {
  Builder s(print_summa(f), p.m, p.n, p.k, Grid({{"i", f.pr}, {"j", f.pc}}), p.ranks);
  const Int b = std::min(f.b, std::max({p.m, p.n, p.k, Int{1}}));
  for (Int extent : {p.m, p.n, p.k})
    if (f.cyclic) require_few_panels(extent, b);
  const auto cut = [&](int axis) {
    if (!f.cyclic) return Cut::even(s.grid(), axis);
    return Cut{Cut::Kind::cyclic, s.grid().extent(axis), Affine::along(axis), b, b, {}};
  };
  Summa form{s, p, b, {cut(i)}, {cut(j)}};
  if (f.stationary == 'a')
    form.stationary_a();
  else if (f.stationary == 'b')
    form.stationary_b();
  else
    form.stationary_c();
  return s.done();
}

}  // namespace cairn
