// Shapes, rank counts and algorithms at which everything is tested: small, awkward, and named in one place.
#pragma once
#include <bit>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "algorithms/cosma.hpp"
#include "algorithms/registry.hpp"
#include "interpret/reference.hpp"
#include "problem.hpp"

namespace cairn::testing {

inline const std::vector<Int> rank_counts{1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 16};

/// Empty, single, prime, square, tall, wide, flat, and fewer rows than ranks.
inline const std::vector<Shape> shapes{{0, 5, 7},    {5, 0, 7},   {5, 7, 0},   {1, 1, 1},  {17, 19, 23},
                                       {32, 32, 32}, {61, 3, 5},  {3, 61, 5},  {3, 5, 61}, {37, 41, 2},
                                       {1, 29, 31},  {29, 1, 31}, {29, 31, 1}, {5, 5, 5}};

/// A one-line spelling, and what it is an instance of: tests meet every form on every shape.
struct Spelling {
  std::string form, text;
};

/// The form with each {} replaced by a number in turn.
inline Spelling spelled(const std::string& form, std::initializer_list<Int> numbers) {
  std::string text = form;
  for (Int x : numbers) text.replace(text.find("{}"), 2, std::to_string(x));
  return {form, text};
}

/// COSMA on exactly `ranks` ranks: one-, two- and three-dimensional grids, with and without rounds.
inline void cosma_spellings(Int ranks, std::vector<Spelling>& all) {
  for (const char* form : {"cosma pm{}", "cosma pn{}", "cosma pk{}", "cosma pk{},sm2,sn2", "cosma pm{},sk3",
                           "cosma pn{},sk2,sn3", "cosma pk{},sn5", "cosma pn{},sm3"})
    all.push_back(spelled(form, {ranks}));
  for (Int a = 2; a < ranks; ++a) {
    if (ranks % a != 0) continue;
    for (const char* form :
         {"cosma pm{},pn{}", "cosma pk{},pn{},sk2", "cosma pm{},pk{},sm2,sk3", "cosma pn{},pm{},sk3,sn2",
          "cosma pk{},pk{}", "cosma pm{},pn{},sk7", "cosma pm{},pk{},sn4", "cosma pn{},pk{},sm9"})
      all.push_back(spelled(form, {a, ranks / a}));
  }
  if (ranks % 8 == 0)
    for (const char* form : {"cosma pm2,pn2,pk2,pn{}", "cosma pk2,pm2,pn2,sk2,pk{}", "cosma pn2,pn2,pm2,sk3,sm2,pm{}",
                             "cosma sk2,pk2,pk2,pm2,sn2,pn{}"})
      all.push_back(spelled(form, {ranks / 8}));
}

/// SUMMA on all grids of `ranks` ranks, and on one that leaves ranks idle; panels narrower and wider than pieces.
inline void summa_spellings(Int ranks, std::vector<Spelling>& all) {
  for (Int pr = 1; pr <= ranks; ++pr)
    for (const char* form :
         {"summa {}x{} b=4", "summa {}x{} b=100", "summa {}x{} b=2 cyclic", "summa {}x{} b=3 stationary=a",
          "summa {}x{} b=100 stationary=a", "summa {}x{} b=2 stationary=a cyclic", "summa {}x{} b=5 stationary=b",
          "summa {}x{} b=100 stationary=b", "summa {}x{} b=3 stationary=b cyclic"})
      if (ranks % pr == 0) all.push_back(spelled(form, {pr, ranks / pr}));
  if (ranks > 4)
    for (const char* form : {"summa 2x2 b=3", "summa 1x4 b=7 stationary=a", "summa 2x2 b=1 stationary=b cyclic"})
      all.push_back({form, form});
}

/// HSUMMA on all grids of `ranks` ranks and all groups that tile them.
inline void hsumma_spellings(Int ranks, std::vector<Spelling>& all) {
  for (Int pr = 1; pr <= ranks; ++pr)
    for (Int gr = 1; gr <= pr; ++gr)
      for (Int gc = 1; ranks % pr == 0 && gc <= ranks / pr; ++gc)
        for (const char* form : {"hsumma {}x{} groups={}x{} M=6 b=4", "hsumma {}x{} groups={}x{} M=100 b=3",
                                 "hsumma {}x{} groups={}x{} M=4 b=2 cyclic"})
          if (pr % gr == 0 && ranks / pr % gc == 0) all.push_back(spelled(form, {pr, ranks / pr, gr, gc}));
}

/// Cannon on all grids of `ranks` ranks, square or not, in one layer or in several, and on one that leaves ranks idle.
inline void cannon_spellings(Int ranks, std::vector<Spelling>& all) {
  for (Int pr = 1; pr <= ranks; ++pr)
    for (Int pc = 1; pc <= ranks / pr; ++pc) {
      const Int layers = ranks / (pr * pc);
      if (ranks % (pr * pc) != 0 || std::lcm(pr, pc) % layers != 0) continue;
      Spelling s = spelled("cannon {}x{}x{}", {pr, pc, layers});
      s.form += std::string(pr == pc ? " square" : "") + (layers > 1 ? " in layers" : "");
      all.push_back(std::move(s));
    }
  if (ranks > 4) all.push_back({"cannon 2x2", "cannon 2x2"});
}

/// 2.5D SUMMA and 3D on all grids of `ranks` ranks.
inline void three_dimensional_spellings(Int ranks, std::vector<Spelling>& all) {
  for (Int pr = 1; pr <= ranks; ++pr)
    for (Int pc = 1; pc <= ranks / pr; ++pc)
      for (const char* form : {"summa25d {}x{}x{} b=3", "summa25d {}x{}x{} b=100", "agarwal3d {}x{}x{}"})
        if (ranks % (pr * pc) == 0) all.push_back(spelled(form, {pr, pc, ranks / (pr * pc)}));
}

/// 2.5D by fetching on all grids of `ranks` ranks, with all numbers of layers.
inline void fetching_spellings(Int ranks, std::vector<Spelling>& all) {
  for (Int pr = 1; pr <= ranks; ++pr)
    for (Int lr = 1; lr <= pr; ++lr)
      for (Int pc = ranks / pr, lc = 1; ranks % pr == 0 && lc <= pc; ++lc) {
        if (pr % lr != 0 || pc % lc != 0) continue;
        Spelling s = spelled("fetch25d {}x{} layers={}x{}", {pr, pc, lr, lc});
        s.form += std::string(lr > 1 ? " of rows" : "") + (lc > 1 ? " of columns" : "");
        all.push_back(std::move(s));
        if (lr * lc == 1) all.push_back(spelled("fetch25d {}x{} crossed", {pr, pc}));
      }
}

/// CARMA on as many of `ranks` ranks as are a power of two.
inline void carma_spellings(Int ranks, std::vector<Spelling>& all) {
  for (const char* form : {"carma {}", "carma {} dfs=1", "carma {} dfs=4"})
    all.push_back(spelled(form, {static_cast<Int>(std::bit_floor(static_cast<std::uint64_t>(ranks)))}));
}

/// Every algorithm, for a number of ranks. A new algorithm adds its function here, and all contract tests run it.
inline std::vector<Spelling> spellings(Int ranks) {
  std::vector<Spelling> all;
  for (auto* add : {cosma_spellings, summa_spellings, hsumma_spellings, cannon_spellings, three_dimensional_spellings,
                    fetching_spellings, carma_spellings})
    add(ranks, all);
  return all;
}

/// An algorithm and a shape that must go together; `salt` varies what else there is to vary.
struct Case {
  Int ranks;
  std::string spelling;
  Shape shape;
  unsigned salt;
};

/// One of every `one_in` cases, of every form and shape at least one.
inline std::vector<Case> cases(std::size_t one_in) {
  std::map<std::string, std::vector<std::pair<Int, std::string>>> forms;
  for (Int ranks : rank_counts)
    for (const Spelling& s : spellings(ranks)) forms[s.form].push_back({ranks, s.text});
  std::vector<Case> all;
  std::size_t turn = 0;
  for (const auto& [form, instances] : forms)
    for (Shape shape : shapes) {
      const std::size_t step = std::min(one_in, instances.size());
      for (std::size_t at = turn++ % step; at < instances.size(); at += step)
        all.push_back({instances[at].first, instances[at].second, shape, static_cast<unsigned>(11 * all.size())});
    }
  return all;
}

/// For SCOPED_TRACE.
inline std::string text(const Case& c) {
  return c.spelling + " of " + std::to_string(c.shape.m) + "x" + std::to_string(c.shape.n) + "x" +
         std::to_string(c.shape.k) + " on " + std::to_string(c.ranks) + " ranks, salt " + std::to_string(c.salt);
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
