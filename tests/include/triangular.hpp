// Factorisations and solutions to test with: matrices of small integers with powers of two on the diagonal, so that no
// step of their computation rounds.
#pragma once
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/registry.hpp"
#include "base/scalars.hpp"
#include "interpret/count.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn::testing {

struct CholeskyCase {
  Int n;
  std::string grid;
  Int b;
  Uplo triangle;
  Int ranks;
  std::string algorithm = "cholesky";
  Int fat = 0;  // f= of a spelling that has it
  FactoriseProblem problem(Int spare = 0) const {
    FactoriseProblem p;
    p.n = n, p.triangle = triangle, p.ranks = ranks + spare;
    return p;
  }
  std::string spelling() const {
    return algorithm + ' ' + grid + " b=" + std::to_string(b) + (fat > 0 ? " f=" + std::to_string(fat) : "");
  }
  Schedule schedule(Int spare = 0) const { return make_algorithm(problem(spare), spelling()); }
};
/// A solve with a triangle of this order.
inline SolveProblem solve_problem(Int order, Int others, Side side, Op op, Int ranks) {
  SolveProblem p;
  p.m = side == Side::left ? order : others, p.n = side == Side::left ? others : order;
  p.side = side, p.op = op, p.ranks = ranks;
  return p;
}

/// The algorithm's variants are spelled as they are made, and hold what their sketches say, or more. Plans look at them
/// where no algorithm is named, or do not.
template <class P>
void expect_variants(const P& p, std::string_view name, bool compared) {
  const std::vector<Sketch> all = variants(p);
  EXPECT_EQ(std::ranges::any_of(all, [&](const Sketch& s) { return algorithm_name(s.spelling) == name; }), compared);
  const std::vector<Sketch> named = variants(p, name);
  EXPECT_GE(named.size(), 4U);
  for (const Sketch& s : named) {
    const Schedule made = make_algorithm(p, s.spelling);
    EXPECT_EQ(made.algorithm, s.spelling);
    EXPECT_LE(s.held, static_cast<double>(count_all(made, expand_collectives(made)).max.peak_words)) << s.spelling;
  }
}

/// The same in triangle blocks: of projective and affine planes, and of the table for four ranks; in layers, too.
inline std::vector<CholeskyCase> triangle_block_cases() {
  struct Sizes {
    const char* grid;
    Int ranks;
    std::vector<std::pair<Int, Int>> n_and_b;
  };
  std::vector<CholeskyCase> all;
  for (const Sizes& s : std::vector<Sizes>{{"3", 3, {{1, 3}, {29, 2}}},
                                           {"4", 4, {{0, 4}, {3, 4}, {31, 1}, {43, 3}}},
                                           {"6", 6, {{37, 3}}},
                                           {"7", 7, {{0, 2}, {1, 2}, {5, 2}, {28, 4}, {53, 2}}},
                                           {"12", 12, {{41, 2}}},
                                           {"13", 13, {{29, 2}, {97, 3}}},
                                           {"3x2", 6, {{0, 2}, {1, 2}, {23, 2}, {24, 1}}},
                                           {"3x3", 9, {{31, 2}}},
                                           {"4x2", 8, {{47, 3}}},
                                           {"4x3", 12, {{61, 2}}},
                                           {"6x2", 12, {{61, 2}}}})
    for (auto [n, b] : s.n_and_b)
      for (Uplo triangle : {Uplo::lower, Uplo::upper}) all.push_back({n, s.grid, b, triangle, s.ranks, "triangle"});
  return all;
}
/// Both triangles of uneven orders, on grids of which one extent divides the other or not, in one layer and in several.
inline std::vector<CholeskyCase> cholesky_cases() {
  struct Sizes {
    const char* grid;
    Int ranks;
    std::vector<std::pair<Int, Int>> n_and_b;
  };
  std::vector<CholeskyCase> all;
  for (const Sizes& s : std::vector<Sizes>{{"1x1", 1, {{0, 4}, {1, 1}, {7, 3}}},
                                           {"2x2", 4, {{0, 4}, {1, 4}, {16, 4}, {23, 3}}},
                                           {"2x3", 6, {{29, 2}, {13, 5}}},
                                           {"3x2", 6, {{29, 3}}},
                                           {"4x2", 8, {{31, 2}}},
                                           {"2x4", 8, {{37, 2}}},
                                           {"1x4", 4, {{40, 7}}},
                                           {"4x1", 4, {{37, 5}}},
                                           {"2x1", 2, {{200, 90}}},
                                           {"1x1x2", 2, {{11, 2}}},
                                           {"2x2x2", 8, {{0, 3}, {1, 3}, {5, 3}, {24, 3}, {31, 2}}},
                                           {"1x2x3", 6, {{31, 2}}},
                                           {"3x1x2", 6, {{26, 3}}},
                                           {"2x1x4", 8, {{33, 2}}},
                                           {"3x2x2", 12, {{41, 2}}}})
    for (auto [n, b] : s.n_and_b)
      for (Uplo triangle : {Uplo::lower, Uplo::upper}) all.push_back({n, s.grid, b, triangle, s.ranks});
  return all;
}

/// As the paper's 2.5D algorithm does it: fat panels of one block and of several, more of them than blocks, one layer.
inline std::vector<CholeskyCase> fat_panel_cases() {
  struct Sizes {
    const char* grid;
    Int ranks;
    std::vector<std::array<Int, 3>> n_b_and_fat;
  };
  std::vector<CholeskyCase> all;
  for (const Sizes& s : std::vector<Sizes>{{"1x1x1", 1, {{0, 2, 2}, {1, 1, 1}, {7, 2, 2}}},
                                           {"2x2x1", 4, {{29, 2, 3}}},
                                           {"1x1x2", 2, {{11, 2, 2}, {16, 2, 9}}},
                                           {"1x1x3", 3, {{37, 2, 2}}},
                                           {"2x2x2", 8, {{0, 3, 2}, {1, 3, 2}, {5, 3, 1}, {24, 2, 3}, {61, 2, 4}}},
                                           {"1x2x3", 6, {{53, 2, 3}}},
                                           {"3x1x2", 6, {{61, 3, 2}}},
                                           {"2x3x2", 12, {{71, 2, 5}}},
                                           {"3x2x2", 12, {{83, 2, 3}}},
                                           {"2x1x4", 8, {{75, 2, 2}}}})
    for (auto [n, b, fat] : s.n_b_and_fat)
      for (Uplo triangle : {Uplo::lower, Uplo::upper})
        all.push_back({n, s.grid, b, triangle, s.ranks, "cholesky25d", fat});
  return all;
}

/// Of real types the real part.
template <class T>
T scalar(double re, double im) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(re);
  else
    return {static_cast<typename T::value_type>(re), static_cast<typename T::value_type>(im)};
}

/// Element (i, j) of L.
template <class T>
T factor_element(Int i, Int j) {
  if (i == j) return static_cast<T>(Int{1} << (i % 3));
  const auto re = static_cast<double>((i * 7 + j * 5) % 5 - 2), im = static_cast<double>((i + 3 * j) % 3 - 1);
  return scalar<T>(re, im);
}

/// Element (i, j) of L·Lᴴ.
template <class T>
T factored_element(Int i, Int j) {
  T sum{};
  for (Int k = 0; k <= std::min(i, j); ++k) sum += factor_element<T>(i, k) * conjugated(factor_element<T>(j, k));
  return sum;
}

/// What is where nothing may be read or written: what would spread, and what additions of 0 would change.
inline double untouched(Int i, Int j) { return (i + j) % 2 == 0 ? -0.0 : std::numeric_limits<double>::quiet_NaN(); }
template <class T>
bool is_untouched(T x, Int i, Int j) {
  const double value = std::real(x);
  return (i + j) % 2 == 0 ? value == 0 && std::signbit(value) : std::isnan(value);
}

struct SolveCase {
  SolveProblem problem;
  std::string spelling;
  Int spare;  ///< ranks beyond the grid
  Schedule schedule() const { return make_algorithm(problem, spelling); }
};
constexpr double solve_alpha = 0.5;

/// Element (i, j) of A as it is stored, and of op(A).
template <class T>
T triangle_element(const SolveProblem& p, Int i, Int j) {
  if (!counts(p.triangle, i, j) || (i == j && p.diag == Diag::unit))
    return scalar<T>(std::numeric_limits<double>::quiet_NaN(), 0);
  return factor_element<T>(i, j);
}
template <class T>
T op_element(const SolveProblem& p, Int i, Int j) {
  if (i == j && p.diag == Diag::unit) return T(1);
  if (p.op != Op::none) std::swap(i, j);
  if (!counts(p.triangle, i, j)) return T(0);
  const T x = factor_element<T>(i, j);
  return p.op == Op::adjoint ? conjugated(x) : x;
}
template <class T>
T solution_element(Int i, Int j) {
  const auto re = static_cast<double>((i * 3 + j) % 5 - 2), im = static_cast<double>((i + j) % 3 - 1);
  return scalar<T>(re, im);
}
/// Element (i, j) of B.
template <class T>
T right_hand_side(const SolveProblem& p, Int i, Int j) {
  T sum{};
  for (Int k = 0; k < p.order(); ++k)
    sum += p.side == Side::left ? op_element<T>(p, i, k) * solution_element<T>(k, j)
                                : solution_element<T>(i, k) * op_element<T>(p, k, j);
  return sum / scalar<T>(solve_alpha, 0);
}

/// Every side, triangle, op and diagonal, with grids and sizes that change with them.
inline std::vector<SolveCase> solve_cases() {
  struct Of {
    const char* spelling;
    Int grid, order, others, ranks;
  };
  const std::vector<Of> grids{
      {"trsm 1x1 b=3", 1, 7, 5, 1},         {"trsm 2x2 b=3", 4, 23, 17, 4},     {"trsm 2x3 b=2", 6, 13, 29, 7},
      {"trsm 4x1 b=4", 4, 19, 3, 4},        {"trsm 1x3 b=2", 3, 11, 1, 3},      {"trsm 2x2 b=4", 4, 0, 5, 4},
      {"trsm 2x2 b=4", 4, 6, 0, 4},         {"trsm 2x2 b=8", 4, 1, 1, 4},       {"trsm 2x2x2 b=2", 8, 21, 10, 8},
      {"trsm 3x1x2 b=3", 6, 25, 7, 6},      {"trsm 1x2x3 b=1", 6, 17, 9, 8},    {"trsm 2x2x2 b=5", 8, 4, 6, 8},
      {"trsm25d 2x2x2 b=2", 8, 21, 10, 8},  {"trsm25d 2x1x3 b=3", 6, 25, 7, 7}, {"trsm25d 1x1x4 b=2", 4, 11, 19, 4},
      {"trsm25d 2x2x2 b=3", 8, 13, 1, 8},   {"trsm25d 1x2x2 b=2", 4, 1, 3, 4},  {"trsm25d 2x2x2 b=2", 8, 0, 3, 8},
      {"trsm25d 2x3 b=2", 6, 13, 5, 6},     {"trsm_lazy 1x1 b=3", 1, 7, 5, 1},  {"trsm_lazy 2x2 b=3", 4, 23, 17, 4},
      {"trsm_lazy 2x3 b=2", 6, 13, 29, 7},  {"trsm_lazy 4x1 b=4", 4, 19, 3, 4}, {"trsm_lazy 1x3 b=2", 3, 11, 1, 3},
      {"trsm_lazy 2x2 b=4", 4, 0, 5, 4},    {"trsm_lazy 2x2 b=4", 4, 6, 0, 4},  {"trsm_lazy 2x2 b=8", 4, 1, 1, 4},
      {"trsm_lazy 3x4 b=2", 12, 37, 11, 12}};
  std::vector<SolveCase> all;
  for (const Of& s : grids)
    for (Side side : {Side::left, Side::right})
      for (Uplo triangle : {Uplo::lower, Uplo::upper})
        for (Op op : {Op::none, Op::transpose, Op::adjoint})
          for (Diag diag : {Diag::stored, Diag::unit}) {
            SolveProblem p;
            p.m = side == Side::left ? s.order : s.others, p.n = side == Side::left ? s.others : s.order;
            p.side = side, p.triangle = triangle, p.op = op, p.diag = diag, p.ranks = s.ranks;
            all.push_back({p, s.spelling, s.ranks - s.grid});
          }
  return all;
}

}  // namespace cairn::testing
