// What all algorithms for triangular solution share.
#include <algorithm>

#include "algorithms/panels.hpp"
#include "algorithms/trsm.hpp"
#include "base/arithmetic.hpp"
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

Slot TriangularSolution::given_with_diagonal(Slot x, Range rows, Range K, Int row) {
  constexpr Int few = 16, strips = 4, least_block = 32;
  if (extent(r) == 1 || layers > 1 || b < least_block || ceil_div(n, b) >= few)
    return bcast(x, Builder::all, Builder::all, r, row);
  Layout everywhere = s.layout(x);
  std::erase_if(everywhere.where, [this](Layout::Where w) { return w.axis == r; });
  const Slot all = s.room_for(x, everywhere.rows, everywhere.cols, everywhere.where);
  const auto give = [&](Range down, Range across) {
    const Part these = Part::within(down), columns = Part::within(across);
    if (down.lo < down.hi) s.bcast(of_t(x, these, columns), of_t(all, these, columns), r, row);
  };
  give(ascending ? Range{rows.lo, K.lo} : Range{K.hi, rows.hi}, K);
  for (Range strip : slices(K, ceil_div(K.size(), strips)))
    give(ascending ? Range{K.lo, strip.hi} : Range{strip.lo, K.hi}, strip);
  return all;
}

}  // namespace cairn
