// Kwasniewski et al., SC '19: Table 2, Figures 3 and 5.
#include <fmt/format.h>

#include <cmath>

#include "reproduction.hpp"

namespace cairn::app {

namespace {

double real(Int x) { return static_cast<double>(x); }

// To it, all plans are as fast as each other, and words decide.
Machine words_only() {
  Machine m = find_machine("piz-daint");
  m.precision = 1e6;
  return m;
}

}  // namespace

// Square matrices without extra memory, and tall ones with it.
Reproduction cosma_table2() {
  Reproduction r;
  r.setting =
      "square: m = n = k = 4096, S = 2n²/p; tall: m = n = √p, k = p^(3/2)/4, S = 2nk/p^(2/3). Ours: words received and "
      "own parts of A, B, C, counted on the schedules";
  r.unit = "words";
  const Machine machine = words_only();
  const auto add = [&](const std::string& what, double paper, const GemmProblem& p, const Options& options) {
    r.lines.push_back({what, paper, cost(machine, p, options).touched});
  };
  constexpr Int n = 4096;
  for (Int p : {Int{64}, Int{4096}}) {
    const Int s = static_cast<Int>(std::lround(std::sqrt(real(p))));
    const double n2 = real(n) * real(n), q = real(p);
    const double tight = 2 * n2 * (std::sqrt(q) + 1) / q;
    // What A, B and C take, and panels of an eighth of a local block.
    const Int memory = 3 * n * n / p + n * n / p / 4;
    const auto label = [p](const char* name) { return fmt::format("square, p = {}: {}", p, name); };
    add(label("2D"), tight, product(n, n, n, p), {.algorithm = fmt::format("summa {}x{} b={}", s, s, n / s / 8)});
    add(label("2.5D, c = 1"), tight, product(n, n, n, p), {.algorithm = fmt::format("cannon {}x{}", s, s)});
    add(label("recursive"), 2 * n2 * (std::sqrt(3 / (2 * q)) + 1 / (2 * std::cbrt(q * q))), product(n, n, n, p),
        {.memory_words = memory, .algorithm = "carma"});
    add(label("COSMA"), tight, product(n, n, n, p), {.memory_words = memory, .algorithm = "cosma", .prefer = "words"});
  }
  for (Int p : {Int{1024}, Int{65536}}) {
    const double q = real(p);
    const Int s = static_cast<Int>(std::lround(std::sqrt(q))), k = s * p / 4;
    const Int c = static_cast<Int>(std::lround(std::exp2(std::round(std::log2(std::cbrt(q))))));
    const Int g = static_cast<Int>(std::lround(std::sqrt(real(p / c))));
    const GemmProblem tall = product(s, s, k, p);
    const auto label = [p](const char* name) { return fmt::format("tall, p = {}: {}", p, name); };
    add(label("2D"), std::pow(q, 1.5) / 2, tall, {.algorithm = fmt::format("cannon {}x{}", s, s)});
    if (g * g * c == p)
      add(label("2.5D"), std::pow(q, 4.0 / 3) / 2 + std::cbrt(q), tall,
          {.algorithm = fmt::format("cannon {}x{}x{}", g, g, c)});
    add(label("recursive"), 3 * q / 4, tall, {.algorithm = fmt::format("carma {}", p)});
    add(label("COSMA"), q * (3 - std::cbrt(2)) / std::pow(2, 4.0 / 3), tall, {.algorithm = "cosma", .prefer = "words"});
  }
  r.remark =
      "The paper's tall entries for the recursive decomposition, 3p/4, and for COSMA, 0.69p, lie below its own Theorem "
      "2, "
      "3(mnk/p)^(2/3) = 1.19p, which nothing can undercut; Cairn's COSMA is the one to compare with that. Cannon's "
      "skew "
      "adds a block of A and B to the 2.5D row.";
  return r;
}

Reproduction cosma_figure3() {
  Reproduction r;
  r.setting =
      "8 ranks, square matrices; savings against a 2 x 2 x 2 grid by the paper's own costs, 2mnk/(p√S) + S (Theorem 2) "
      "against 2mnk/(p√S) + (n/2)² (its P_ijk), for every memory S at which they differ";
  r.unit = "% fewer words";
  double best = 0, where = 0;
  Curve curve{"by the paper's costs", {}, {}};
  constexpr int points = 240;
  for (int i = 1; i < points; ++i) {
    const double s = 0.25 * i / points;  // of n²
    const double stream = 0.25 / std::sqrt(s), saving = 100 * (1 - (stream + s) / (stream + 0.25));
    curve.x.push_back(s);
    curve.y.push_back(saving);
    if (saving > best) best = saving, where = s;
  }
  r.lines.push_back({fmt::format("largest saving, at S = {:.3f} n²", where), 17.0, best});
  r.remark =
      "The paper gives neither n nor S. Its formulas allow no saving above 15.1 % on 8 ranks, and none once S reaches "
      "n²/4, from where on the 2 x 2 x 2 grid is optimal and is what Cairn chooses; 17 % may count the crossings of "
      "the "
      "pictured, small iteration space.";
  r.x_label = "memory S / n²";
  r.y_label = "saving over 3D, %";
  r.curves.push_back(std::move(curve));
  return r;
}

Reproduction cosma_figure5() {
  Reproduction r;
  constexpr Int n = 16380;  // a multiple of 4, 5 and 13
  r.setting = fmt::format("m = n = k = {}, 65 ranks: grid 1 x 5 x 13 of all, and 4 x 4 x 4 with one idle", n);
  r.unit = "%";
  const Machine machine = words_only();
  const GemmProblem p = product(n, n, n, 65);
  const auto of = [&](const char* cuts) { return cost(machine, p, {.algorithm = cuts}); };
  const Cost stretched = of("cosma pn5,pk13"), cubic = of("cosma pm4,pn4,pk4"),
             chosen = cost(machine, p, {.algorithm = "cosma", .prefer = "words"});
  r.lines.push_back({"fewer words touched with 4 x 4 x 4", 36.0, 100 * (1 - cubic.touched / stretched.touched)});
  r.lines.push_back({"more computation for it", 1.5, 100 * (cubic.flops / stretched.flops - 1)});
  r.lines.push_back({"fewer words touched by Cairn's own choice", {}, 100 * (1 - chosen.touched / stretched.touched)});
  r.remark = "Words received alone, without a rank's own parts, fall further.";
  return r;
}

}  // namespace cairn::app
