// Cannon's algorithm on any grid of ranks, in one layer or in several.
#include <fmt/format.h>

#include <numeric>

#include "algorithms/arguments.hpp"
#include "algorithms/operands.hpp"
#include "algorithms/outline.hpp"
#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "schedule/builder.hpp"

namespace cairn {

namespace {

using Form = std::array<Int, 3>;  // rows, columns and layers of the grid

std::string print(const Form& f) {
  return fmt::format("cannon {}x{}{}", f[0], f[1], f[2] > 1 ? fmt::format("x{}", f[2]) : "");
}

Form parse(std::string_view text) {
  const std::vector<Int> grid = only_sizes(text, "cannon 4x4x2", 2, 3);
  return {grid[0], grid[1], grid.size() > 2 ? grid[2] : 1};
}

Int virtual_grid(Int pr, Int pc) {
  if (Int V = 0; !__builtin_mul_overflow(pr / std::gcd(pr, pc), pc, &V) && V <= most_turns) return V;
  throw ArgumentError(fmt::format("algorithm: lcm({}, {}) steps are more than {}, expected fewer, as in cannon 4x4x2",
                                  pr, pc, most_turns));
}

// Cannon on pr × pc × L ranks, 2D where L = 1.  [cannon-1969; solomonik-demmel-2011; dbcsr-25d-rma-2017 §2]
//   A[m/i, k/j] at l=0   B[k/i, n/j] at l=0   C[m/i, n/j] at l=0     V = lcm(pr, pc) pieces of k, dealt to i and j
// Step t multiplies A1[m/i, k/s] B1[k/s, n/j], s = i + j + l·V/L + t modulo V: a piece moves on by one rank a step.
// Received by the ranks that receive the most, for even pieces: (mk/pr + kn/pc)/L, the skew included, and for L > 1
//   (mk + kn)/(pr pc) at l>0 for the copies, (L-1)·mn/(pr pc) at l=0 for the sum
Schedule cannon(const GemmProblem& p, const Form& form) {
  const auto [pr, pc, layers] = form;
  const Int V = virtual_grid(pr, pc), steps = V / layers;
  if (V % layers != 0)
    throw ArgumentError(
        fmt::format("algorithm: {} layers cannot share the lcm({}, {}) = {} steps evenly, expected a "
                    "divisor of {}, as in cannon 4x4x2",
                    layers, pr, pc, V, V));
  std::vector<Grid::Axis> axes{{"i", pr}, {"j", pc}};
  if (layers > 1) axes.push_back({"l", layers});
  Builder s(print(form), p.m, p.n, p.k, Grid(std::move(axes)), p.ranks);
  const int i = 0, j = 1, l = 2;
  // A deal needs blocks of one size unless each rank gets one piece.
  const auto cut = [&, one_each = pr == pc, block = std::max<Int>(1, ceil_div(p.k, V))](Int parts, Affine index) {
    if (one_each) return Cut{Cut::Kind::even, parts, std::move(index), 0, 0, {}};
    return Cut{Cut::Kind::cyclic, parts, std::move(index), block, block, {}};
  };
  const auto on_layer_0 = [&](Layout layout) {
    if (layers > 1) layout.where = {{l, 0}};
    return layout;
  };
  const Cut by_i = Cut::even(s.grid(), i), by_j = Cut::even(s.grid(), j);
  const Cut k_by_i = cut(pr, Affine::along(i)), k_by_j = cut(pc, Affine::along(j));
  Slot A = input_a(s, p, on_layer_0(s.layout({0, p.m}, {by_i}, {0, p.k}, {k_by_j}, Order::col)));
  Slot B = input_b(s, p, on_layer_0(s.layout({0, p.k}, {k_by_i}, {0, p.n}, {by_j}, Order::row)));
  const Slot C = output_c(s, p, on_layer_0(s.layout({0, p.m}, {by_i}, {0, p.n}, {by_j}, Order::col)));
  Slot sum = C;
  if (layers > 1) {
    A = s.bcast(A, l, 0), B = s.bcast(B, l, 0);
    sum = s.partial_sum("C+", s.layout({0, p.m}, {by_i}, {0, p.n}, {by_j}, s.layout(C).order));
  }
  const Affine start = layers > 1 ? steps * Affine::along(l) : Affine();
  // The piece for step t: from the next rank, which used it in the step before. The last rank in the line has no such
  // neighbour unless the pieces go round, one for each rank; it gets the piece from its owner, as all do at first.
  const auto next = [&](Slot X, Slot X1, Layout piece, int axis, const Affine& skew, Int t) {
    const Int q = s.grid().extent(axis), neighbours = t == 0 ? 0 : q == V ? q : q - 1;
    const Slot X2 = s.scratch(s.name(X) + "1", std::move(piece));
    if (neighbours > 0) s.shift(X1, X2, axis, 1, {0, neighbours});
    if (neighbours < q) s.shift(X, X2, axis, skew + start + t, {neighbours, q});
    return X2;
  };
  Slot A1 = -1, B1 = -1;
  for (Int t = 0; t < steps; ++t) {
    Layout a = s.layout(A), b = s.layout(B);
    a.cols.cuts = b.rows.cuts = {cut(V, Affine::along(i) + Affine::along(j) + start + t)};
    A1 = next(A, A1, std::move(a), j, Affine::along(i), t);  // A1[m/i, k/s]
    B1 = next(B, B1, std::move(b), i, Affine::along(j), t);  // B1[k/s, n/j]
    s.gemm(A1, B1, sum);                                     // C[m/i, n/j] += A1 B1
  }
  if (layers > 1) s.reduce(sum, C, l, 0);
  return s.done();
}

MadeAlgorithm make(const GemmProblem& p, const Form& f) { return {cannon(p, f), f, std::lcm(f[0], f[1]) / f[2]}; }

std::vector<Form> variants(const Sought& sought) {
  constexpr Int most_pieces = 1024;  // of the inner dimension, one a step
  std::vector<Form> all;
  for (const auto& [pr, pc] : grids_2d(sought))
    if (const Int V = std::lcm(pr, pc); V <= most_pieces && (pr == pc || V <= std::max<Int>(1, sought.dims.k)))
      for (Int L = 1; L <= std::max<Int>(1, sought.ranks / (pr * pc)); ++L)
        if (V % L == 0) all.push_back({pr, pc, L});
  return all;
}

// A rank gets all pieces of its layer but the first of A (of B), which the first rank of its row (column) has.
Outline outline(const Sought& sought, const Form& f) {
  const Int V = std::lcm<Int>(f[0], f[1]), k = sought.dims.k, piece = f[0] == f[1] ? k / f[0] : ceil_div(k, V);
  Outline o = in_layers(sought, f, V / f[2], piece);
  o.messages = real(o.busy - 1) * ((f[0] > 1) + (f[1] > 1));
  const Int lines = (f[1] > 1 ? sought.dims.m / f[0] : 0) + (f[0] > 1 ? sought.dims.n / f[1] : 0);
  o.before_last = real(lines) * std::max(0.0, real(k) / real(f[2]) - real(piece));
  if (f[0] > 1 && f[1] > 1) o.received = std::max(o.received, real(lines) * real(sought.dims.k) / real(f[2]));
  return o;
}

}  // namespace

Algorithm cannon_algorithm() { return Typed<Form>{"cannon", parse, print, make, variants, outline}; }

}  // namespace cairn
