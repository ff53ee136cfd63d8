#include "algorithms/agarwal3d.hpp"

#include <fmt/format.h>

#include "algorithms/arguments.hpp"
#include "algorithms/operands.hpp"
#include "schedule/builder.hpp"

namespace cairn {

// 3D.  [dekel-nassimi-sahni-1981; agarwal-1995; communication-avoiding-overlapping-2012 §II.A]
//   A[m/i, k/l] at j=0   B[k/l, n/j] at i=0   C[m/i, n/j] at l=0
// Received, for even pieces:
//   mk/(pm pk) at j>0  +  kn/(pk pn) at i>0  +  (pk-1)·mn/(pm pn) at l=0
Schedule agarwal3d(const GemmProblem& p, Int pm, Int pn, Int pk) {
  Builder s(print_agarwal3d(pm, pn, pk), p.m, p.n, p.k, Grid({{"i", pm}, {"j", pn}, {"l", pk}}), p.ranks);
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

std::string print_agarwal3d(Int pm, Int pn, Int pk) { return fmt::format("agarwal3d {}x{}x{}", pm, pn, pk); }

MadeAlgorithm make_agarwal3d(const GemmProblem& problem, std::string_view text) {
  Arguments arguments(text, "agarwal3d 2x3x2");
  const std::vector<Int> grid = arguments.sizes(3);
  arguments.finish();
  return {agarwal3d(problem, grid[0], grid[1], grid[2]), {grid[0], grid[1], grid[2]}, 1};
}

}  // namespace cairn
