// A whole algorithm in one file, as a program may add it: docs/add_an_algorithm.md shows it.
#pragma once
#include <fmt/format.h>

#include "algorithms/arguments.hpp"
#include "algorithms/operands.hpp"
#include "algorithms/outline.hpp"
#include "algorithms/registry.hpp"
#include "base/arithmetic.hpp"

namespace cairn::rows {

struct RowsForm {
  Int ranks;
};

inline std::string print(const RowsForm& f) { return fmt::format("rows {}", f.ranks); }

inline RowsForm parse(std::string_view text) { return {only_sizes(text, "rows 8", 1, 1)[0]}; }

// Every rank multiplies its rows of A by all of B, which every rank holds.
//   A[m/i, k]   B[k, n]   C[m/i, n]       received: nothing
inline MadeAlgorithm make(const GemmProblem& p, const RowsForm& f) {
  Builder s(print(f), p.m, p.n, p.k, Grid({{"i", f.ranks}}), p.ranks);
  const Cut by_i = Cut::even(s.grid(), 0);
  const Slot A = input_a(s, p, s.layout({0, p.m}, {by_i}, {0, p.k}, {}, Order::col));
  const Slot B = input_b(s, p, s.layout({0, p.k}, {}, {0, p.n}, {}, Order::col));
  const Slot C = output_c(s, p, s.layout({0, p.m}, {by_i}, {0, p.n}, {}, Order::col));
  s.gemm(A, B, C);
  return {s.done(), {f.ranks, 1, 1}, 1};
}

inline std::vector<RowsForm> variants(const Sought& sought) {
  std::vector<RowsForm> all;
  for (Int ranks = sought.ranks; ranks >= sought.fewest; ranks /= 2) all.push_back({ranks});
  return all;
}

inline Outline outline(const Sought& sought, const RowsForm& f) {
  Outline o = spread_evenly(sought, {f.ranks, 1, 1}, 'k', 1, 0);
  o.received = o.before_last = 0;
  o.memory = real(o.product[0]) * real(o.product[2]);
  return o;
}

inline Algorithm rows_algorithm() { return Typed<RowsForm>{"rows", parse, print, make, variants, outline}; }

}  // namespace cairn::rows
