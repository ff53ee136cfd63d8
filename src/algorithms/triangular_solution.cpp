// What all algorithms for triangular solution share.
#include <algorithm>

#include "algorithms/panels.hpp"
#include "algorithms/trsm.hpp"
#include "cairn/error.hpp"

namespace cairn {

TriangularSolution::TriangularSolution(const SolveProblem& problem, Turned on)
    : Turned(std::move(on)),
      p(problem),
      n(p.order()),
      m(p.side == Side::left ? p.n : p.m),
      as_stored(p.op == Op::none),
      ascending(((p.triangle == Uplo::upper) == as_stored) != turned) {
  if (p.triangle == Uplo::full) throw ArgumentError("triangle: full, expected lower or upper");
}

void TriangularSolution::start(const Layout& x) {
  B = s.in_place("B", p.b.value_or(x), x, Uplo::full);
  s.scale(Factor::alpha, B);
}

std::vector<Range> TriangularSolution::in_order(Range all, Int width) const {
  std::vector<Range> blocks = slices(all, width);
  if (!ascending) std::reverse(blocks.begin(), blocks.end());
  return blocks;
}

}  // namespace cairn
