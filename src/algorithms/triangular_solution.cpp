// What all algorithms for triangular solution share.
#include <algorithm>
#include <set>

#include "algorithms/panels.hpp"
#include "algorithms/trsm.hpp"
#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "model/dealing.hpp"

namespace cairn {

namespace {

int axis_of_others(const SolveProblem& p) { return p.side == Side::left ? 1 : 0; }

// The right-hand sides of the caller's B, if they may stay as they are dealt.
const Cut* staying(const SolveProblem& p, Int block) {
  if (!p.b || p.b->blocks || p.b->grid.placed() || p.b->grid.axes() != 2) return nullptr;
  const Dim& others = p.side == Side::left ? p.b->cols : p.b->rows;
  const bool stay = dealt_about_evenly(others, p.b->grid, axis_of_others(p), block);
  return stay && !others.cuts.empty() ? &others.cuts.front() : nullptr;
}

}  // namespace

std::optional<Layout> evened(const SolveProblem& p) {
  if (!p.b) return {};
  const Dim& order = p.side == Side::left ? p.b->rows : p.b->cols;
  if (order.cuts.size() != 1 || order.cuts.front().kind != Cut::Kind::cyclic) return p.b;
  const Int block = order.cuts.front().block;
  const Cut* const theirs = staying(p, block);
  if (!theirs) return p.b;
  Layout b = *p.b;
  (p.side == Side::left ? b.cols : b.rows).cuts = {
      {Cut::Kind::cyclic, theirs->parts, Affine::along(axis_of_others(p)), block, block, {}}};
  return b;
}

Int block_of_others(const SolveProblem& p, Int b, Int ranks) {
  const Int m = right_hand_sides(p);
  return p.b || m >= b * ranks ? wide_enough(b, m, ranks) : std::max<Int>(1, ceil_div(m, ranks));
}

Int rows_with_some(const SolveProblem& p, Int b, Int ranks) {
  const Int m = std::max<Int>(1, right_hand_sides(p));
  return std::min(ranks, ceil_div(m, block_of_others(p, b, ranks)));
}

std::vector<GridAndBlock> grids_without_idle(const SolveProblem& p) {
  const bool turned = p.side == Side::left;
  const std::optional<Layout> held = evened(p);
  const Int m = right_hand_sides(p);
  std::vector<GridAndBlock> all;
  std::set<GridAndBlock> seen;
  for (const GridAndBlock& f : grids_and_blocks(p.ranks, p.order(), held, turned)) {
    const bool there = held && lies_so(*held, f.flat(turned));
    auto fit = there ? f : without_idle(f, p.ranks, p.order(), p.b ? ceil_div(m, f.b) : m, turned);
    if (!fit) continue;
    Int& pr = turned ? fit->pc : fit->pr;
    if (!there) pr = rows_with_some(p, fit->b, pr);
    if (seen.insert(*fit).second) all.push_back(*fit);
  }
  return all;
}

Panels panels_of(const SolveProblem& p, const GridAndBlock& form) {
  const bool turned = p.side == Side::left;
  Panels x(form, p.order(), turned);
  x.rows_b = real(block_of_others(p, form.b, turned ? form.pc : form.pr));
  return x;
}

TriangularSolution::TriangularSolution(const SolveProblem& problem, Turned on)
    : Turned(std::move(on)),
      p(problem),
      n(p.order()),
      m(right_hand_sides(p)),
      as_stored(p.op == Op::none),
      ascending(((p.triangle == Uplo::upper) == as_stored) != turned) {
  if (p.triangle == Uplo::full) throw ArgumentError("triangle: full, expected lower or upper");
}

Dim TriangularSolution::others() const {
  const Cut* const theirs = staying(p, b);
  if (!theirs || theirs->parts != extent(r)) return by_rows(m, block_of_others(p, b, extent(r)));
  Cut cut = *theirs;
  cut.index = Affine::along(r) + theirs->index.at(p.b->grid, 0);
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
