#include "algorithms/triangles_turned.hpp"

#include "algorithms/panels.hpp"

namespace cairn {

namespace {

// As ScaLAPACK numbers them, layers being part of the columns; these are rows where all is turned.
Grid grid_of(bool turned, Int pr, Int pc, Int layers) {
  std::vector<Grid::Axis> axes{{"i", pr}, {"j", pc}};
  if (layers > 1) axes.insert(turned ? axes.begin() + 1 : axes.end(), {"l", layers});
  return Grid(std::move(axes));
}

}  // namespace

Turned::Turned(std::string spelling, Problem problem, bool transposed, Int pr, Int pc, Int L, Int block, Int ranks)
    : turned(transposed),
      b(block),
      layers(L),
      wide(b * layers),
      r(!turned      ? 0
        : layers > 1 ? 2
                     : 1),
      c(turned ? 0 : 1),
      l(turned ? 1 : 2),
      s(std::move(spelling), problem, grid_of(turned, pr, pc, layers), ranks) {}

Turned::Turned(std::string spelling, Problem problem, bool transposed, const Copies& g, Int block, Int ranks)
    : turned(transposed),
      b(block),
      layers(1),
      wide(block),
      r(transposed ? 2 : 1),
      c(transposed ? 0 : 2),
      l(transposed ? 1 : 0),
      s(std::move(spelling), problem,
        transposed ? Grid({{"i", g.pr}, {"l", g.number}, {"j", g.pc}})
                   : Grid({{"l", g.number}, {"i", g.pr}, {"j", g.pc}}),
        ranks) {}

Turned::Turned(std::string spelling, Problem problem, bool transposed, Int line, Int L, Int block, Int ranks)
    : turned(transposed),
      b(block),
      layers(L),
      wide(b * layers),
      r(0),
      c(0),
      l(1),
      s(std::move(spelling), problem, L > 1 ? Grid({{"x", line}, {"l", L}}) : Grid({{"x", line}}), ranks) {}

Dim Turned::over_layers(Dim dim) const {
  if (layers > 1) dim.cuts.push_back(dealt(l, b));
  return dim;
}

Layout Turned::layout(Dim rows, Dim cols) const {
  Layout all;
  all.grid = s.grid();
  all.rows = std::move(rows), all.cols = std::move(cols);
  return seen(std::move(all));
}

Slot Turned::along_rows(Slot P, Range R, Here at) {
  Layout all = seen(s.layout(P));
  all.rows = {R, {}};
  if (extent(r) == 1) return part(P, all.rows, all.cols, {});
  const Slot Q = s.scratch(s.name(P), seen(all));
  for (Range block : slices(R, b)) s.bcast(P, part(Q, block, all.cols, {}), r, Affine(block.lo / b), at);
  return Q;
}

void Turned::subtract(Slot A, Slot B, Op op, Slot C, Here at) {
  if (turned)
    s.update(Factor::minus_one, B, op, A, Op::none, C, at);
  else
    s.update(Factor::minus_one, A, Op::none, B, op, C, at);
}

}  // namespace cairn
