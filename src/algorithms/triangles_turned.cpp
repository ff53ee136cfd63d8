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

Turned::Turned(bool transposed, Int block, Int L, Axes axes, Builder on)
    : turned(transposed),
      b(block),
      layers(L),
      wide(b * layers),
      r(axes.rows),
      c(axes.columns),
      l(axes.layers),
      s(std::move(on)) {}

Turned::Turned(std::string spelling, Problem problem, bool transposed, Int pr, Int pc, Int L, Int block, Int ranks)
    : Turned(transposed, block, L, transposed ? Axes{L > 1 ? 2 : 1, 0, 1} : Axes{0, 1, 2},
             {std::move(spelling), problem, grid_of(transposed, pr, pc, L), ranks}) {}

Turned::Turned(std::string spelling, Problem problem, bool transposed, const Copies& g, Int block, Int ranks)
    : Turned(transposed, block, 1, transposed ? Axes{2, 0, 1} : Axes{1, 2, 0},
             {std::move(spelling), problem,
              transposed ? Grid({{"i", g.pr}, {"l", g.number}, {"j", g.pc}})
                         : Grid({{"l", g.number}, {"i", g.pr}, {"j", g.pc}}),
              ranks}) {}

Turned::Turned(std::string spelling, Problem problem, bool transposed, Int line, Int L, Int block, Int ranks)
    : Turned(transposed, block, L, {0, 0, 1},
             {std::move(spelling), problem, L > 1 ? Grid({{"x", line}, {"l", L}}) : Grid({{"x", line}}), ranks}) {}

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
