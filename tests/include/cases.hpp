// Shapes, rank counts and cuts at which everything is tested: small, awkward, and named in one place.
#pragma once
#include <string>
#include <vector>

#include "algorithms/cosma.hpp"
#include "cairn/problem.hpp"
#include "interpret/reference.hpp"

namespace cairn::testing {

struct Shape {
  Int m, n, k;
};

inline const std::vector<Int> rank_counts{1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 16};

/// Empty, single, prime, square, tall, wide, flat, and fewer rows than ranks.
inline const std::vector<Shape> shapes{{0, 5, 7},    {5, 0, 7},   {5, 7, 0},   {1, 1, 1},  {17, 19, 23},
                                       {32, 32, 32}, {61, 3, 5},  {3, 61, 5},  {3, 5, 61}, {37, 41, 2},
                                       {1, 29, 31},  {29, 1, 31}, {29, 31, 1}, {5, 5, 5}};

/// Cuts whose grids have exactly, or nearly, `ranks` ranks: one-, two- and three-dimensional, with and without rounds.
inline std::vector<std::string> cosma_cuts(Int ranks) {
  const std::string p = std::to_string(ranks);
  std::vector<std::string> all{
      "pm" + p, "pn" + p, "pk" + p, "pk" + p + ",sm2,sn2", "pm" + p + ",sk3", "pn" + p + ",sk2,sn3"};
  for (Int a = 2; a < ranks; ++a) {
    if (ranks % a != 0) continue;
    const std::string x = std::to_string(a), y = std::to_string(ranks / a);
    for (const char* form : {"pm{},pn{}", "pk{},pn{},sk2", "pm{},pk{},sm2,sk3", "pn{},pm{},sk3,sn2", "pk{},pk{}"}) {
      std::string text = form;
      text.replace(text.find("{}"), 2, x);
      text.replace(text.find("{}"), 2, y);
      all.push_back(text);
    }
  }
  if (ranks % 8 == 0) {
    const std::string rest = std::to_string(ranks / 8);
    for (const char* form :
         {"pm2,pn2,pk2,pn", "pk2,pm2,pn2,sk2,pk", "pn2,pn2,pm2,sk3,sm2,pm", "sk2,pk2,pk2,pm2,sn2,pn"})
      all.push_back(form + rest);
  }
  return all;
}

/// Small integers, so that every sum is exact whatever its order.
inline Dense integers(Int m, Int n, int seed) {
  Dense x(m, n);
  for (Int j = 0; j < n; ++j)
    for (Int i = 0; i < m; ++i) x(i, j) = static_cast<double>((i * 7 + j * 13 + seed) % 11 - 5);
  return x;
}

/// alpha·A·B + beta·C by three loops.
inline Dense product(const Dense& A, const Dense& B, const Dense& C, double alpha, double beta) {
  Dense out(C.m, C.n);
  for (Int j = 0; j < C.n; ++j)
    for (Int i = 0; i < C.m; ++i) {
      double dot = 0;
      for (Int p = 0; p < A.n; ++p) dot += A(i, p) * B(p, j);
      out(i, j) = alpha * dot + (beta == 0 ? 0 : beta * C(i, j));
    }
  return out;
}

}  // namespace cairn::testing
