// The registration of Cholesky in triangle blocks: its spelling, and what is worth trying.
#include <fmt/format.h>

#include <algorithm>

#include "algorithms/arguments.hpp"
#include "algorithms/grids_and_blocks.hpp"
#include "algorithms/triangle.hpp"
#include "algorithms/triangle_blocks.hpp"
#include "algorithms/triangular.hpp"
#include "base/arithmetic.hpp"

namespace cairn {

std::string print_triangle(const TriangleForm& f) {
  return fmt::format("triangle {}{} b={}", f.ranks, f.layers > 1 ? fmt::format("x{}", f.layers) : "", f.b);
}

namespace {

using Form = TriangleForm;

Form parse(std::string_view text) {
  Arguments arguments(text, "triangle 7 b=64");
  const std::vector<Int> grid = arguments.sizes(1, 2);
  const Form f{grid[0], grid.size() > 1 ? grid[1] : 1, arguments.number("b")};
  arguments.finish();
  if (triangle_blocks(f.ranks).ranks == 0)
    arguments.refuse(fmt::format(
        "{} ranks, expected q*q+q+1 or q*q+q where q is 2, 3, 4, 5, 7, 8, 9, 11, 13 or 16; or 3, 4 or 50", f.ranks));
  return f;
}

std::vector<Form> variants(const FactoriseProblem& p) {
  std::vector<Form> all;
  for (Int layers = 1; layers * layers * layers <= p.ranks; ++layers) {
    const Int ranks = most_in_triangle_blocks(p.ranks / layers);
    if (ranks == 0) continue;
    for (Int b : widths(p.n, layers * ranks)) all.push_back({ranks, layers, b});
  }
  return all;
}

Sketch sketch(const FactoriseProblem& p, const Form& f) {
  const TriangleBlocks blocks = triangle_blocks(f.ranks);
  const double layers = real(f.layers), ranks = real(f.ranks) * layers, n = real(p.n), b = real(f.b);
  const double z = blocks.holders_of_a_class(), part = z / real(f.ranks), classes = real(blocks.classes());
  const double all = n * n / 2, sent = part - 1 / classes;  // of L21, by one holder to each of others
  Sketch s;
  s.grid = {f.ranks, 1, f.layers}, s.b = f.b;
  s.rows = s.cols =
      part * (n + classes * layers * b / 2);  // half a block too many of each: all wait for the fullest rank
  s.share = n > 0 ? s.rows / n * s.cols / n / layers : 1;
  s.held = part * part * n * n * (layers > 1 ? 1 + 1 / layers : 1);
  s.across = {f.ranks * f.layers, all * (z - 1) / ranks, n / b * (layers > 1 ? 3 + z / layers : z + 1),
              all * sent * (z - 1) / layers};
  if (layers > 1) {
    const double up = Panels::depth(layers);
    s.up = {f.layers, all * (layers - 1) / ranks, n / b * up, all * part * up};
  }
  s.brought = p.a && p.a->overlapping() ? 0 : p.a ? (part * part / layers + 1 / ranks) * n * n : 0;
  s.flops = n * b * b / 3 + n * n * b / 2 * part;
  if (n > 0) s.busiest = std::max(1.0, classes * layers * b / n);  // with fewer blocks some ranks have none
  s.overlapping = true, s.hidden = f.layers == 1;
  return s;
}

}  // namespace

AlgorithmFor<FactoriseProblem> triangle_algorithm() {
  return TypedFor<FactoriseProblem, Form>{"triangle", parse, print_triangle, triangle, variants, sketch};
}

}  // namespace cairn
