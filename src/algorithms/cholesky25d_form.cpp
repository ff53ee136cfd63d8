// The registration of the paper's 2.5D Cholesky: its spelling, and what is worth trying.
#include <fmt/format.h>

#include "algorithms/arguments.hpp"
#include "algorithms/cholesky25d.hpp"
#include "algorithms/triangular.hpp"
#include "base/arithmetic.hpp"

namespace cairn {

std::string print_cholesky25d(const Cholesky25dForm& f) {
  return fmt::format("cholesky25d {}x{}x{} b={} f={}", f.pr, f.pc, f.layers, f.b, f.fat);
}

namespace {

using Form = Cholesky25dForm;

Form parse(std::string_view text) {
  Arguments arguments(text, "cholesky25d 4x4x2 b=64 f=8");
  const std::vector<Int> grid = arguments.sizes(3);
  const Form f{grid[0], grid[1], grid[2], arguments.number("b"), arguments.number("f")};
  arguments.finish();
  return f;
}

// In layers, with the grids and blocks of those by steps; fat panels of one to eight blocks.
std::vector<Form> variants(const FactoriseProblem& p) {
  std::vector<Form> all;
  for (const GridAndBlock& g : grids_and_blocks(p.ranks, p.n, {}, false))
    for (Int blocks = 1; g.layers > 1 && blocks <= 8; blocks *= 2)
      if (const Int fat = p.n / (blocks * g.b * g.layers); fat > 1 || blocks == 1)
        all.push_back({g.pr, g.pc, g.layers, g.b, std::max<Int>(1, fat)});
  return all;
}

// Leading terms; of the chain, those of a block column.
Sketch sketch(const FactoriseProblem& p, const Form& f) {
  const Panels x({f.pr, f.pc, f.layers, f.b * f.layers}, p.n, p.triangle == Uplo::upper);
  const double all = x.n * x.n / 2 / x.ranks(), L = x.layers, b = real(f.b);
  const double g = std::max(1.0, x.blocks() / real(f.fat));  // block columns of a fat panel
  const double column = x.n / (2 * x.pr) * b, row = x.n / (2 * x.pc) * b, tree = Panels::depth(x.pr),
               up = Panels::depth(L);
  Sketch s = x.sketch(x.n);
  s.b = f.b;
  s.held = x.least(x.n, x.pr) * x.least(x.n, x.pc) * (1 + 1 / L);
  s.brought = brought(p.a, p.triangle, {f.pr, f.pc, f.layers, f.b}, 2);
  s.across =
      x.across(all * (x.pc - 1) * (2 - 1 / g), 2 * Panels::depth(x.pc), Panels::passes(x.pc) * column * (2 - 1 / g));
  s.down = x.down(all * (x.pr - 1), (L + 1) * tree, L * tree * b * b + Panels::passes(x.pr) * row);
  s.up = x.up(all * (L - 1 / L), (L + 1) * up, L * up * b * b + (L - 1 / L) * column);
  s.flops = x.n * b * b / 3 + x.n * x.n * b / (2 * x.pr * L);
  s.hidden = false;
  return s;
}

}  // namespace

// Not compared: by steps on the same grid fewer words travel (docs/algorithms/cholesky25d.md).
AlgorithmFor<FactoriseProblem> cholesky25d_algorithm() {
  return TypedFor<FactoriseProblem, Form>{"cholesky25d", parse, print_cholesky25d, cholesky25d, variants,
                                          sketch,        false};
}

}  // namespace cairn
