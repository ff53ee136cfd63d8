// What all algorithms for triangular solution share.
#include <algorithm>

#include "algorithms/panels.hpp"
#include "algorithms/trsm.hpp"
#include "cairn/error.hpp"

namespace cairn {

namespace {

int axis_of_others(const SolveProblem& p) { return p.side == Side::left ? 1 : 0; }
const Dim& others_of(const SolveProblem& p) { return p.side == Side::left ? p.b->cols : p.b->rows; }
const Dim& order_of(const SolveProblem& p) { return p.side == Side::left ? p.b->rows : p.b->cols; }

// The same dimension in the blocks of the order.
std::optional<Dim> evened_others(const SolveProblem& p) {
  if (!p.b || p.b->blocks || p.b->grid.placed() || p.b->grid.axes() != 2) return {};
  const Dim &theirs = others_of(p), &order = order_of(p);
  const auto deals = [](const Dim& x) { return x.cuts.size() == 1 && x.cuts.front().kind == Cut::Kind::cyclic; };
  if (!deals(theirs) || !(deals(order) || order.cuts.empty())) return {};
  const int axis = axis_of_others(p);
  const Cut& cut = theirs.cuts.front();
  if (cut.parts != p.b->grid.extent(axis) || !(cut.index == Affine::along(axis) + cut.index.at(p.b->grid, 0)))
    return {};
  const Int block = (order.cuts.empty() ? cut : order.cuts.front()).block;
  Dim even{theirs.extent, {{Cut::Kind::cyclic, cut.parts, Affine::along(axis), block, block, {}}}};
  const auto largest_share = [&](const Dim& x) {
    Int most = 0;
    for (Int i = 0; i < cut.parts; ++i) most = std::max(most, x.size(p.b->grid, p.b->grid.with(0, axis, i)));
    return most;
  };
  if (8 * largest_share(theirs) > 9 * largest_share(even)) return {};
  return even;
}

}  // namespace

std::optional<Layout> evened(const SolveProblem& p) {
  std::optional<Layout> b = p.b;
  if (std::optional<Dim> even = evened_others(p)) (p.side == Side::left ? b->cols : b->rows) = std::move(*even);
  return b;
}

TriangularSolution::TriangularSolution(const SolveProblem& problem, Turned on)
    : Turned(std::move(on)),
      p(problem),
      n(p.order()),
      m(p.side == Side::left ? p.n : p.m),
      as_stored(p.op == Op::none),
      ascending(((p.triangle == Uplo::upper) == as_stored) != turned) {
  if (p.triangle == Uplo::full) throw ArgumentError("triangle: full, expected lower or upper");
}

Dim TriangularSolution::others() const {
  if (!evened_others(p) || others_of(p).cuts.front().parts != extent(r)) return by_rows(m);
  Cut cut = others_of(p).cuts.front();
  cut.index = Affine::along(r) + cut.index.at(p.b->grid, 0);
  return {{0, m}, {std::move(cut)}};
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
