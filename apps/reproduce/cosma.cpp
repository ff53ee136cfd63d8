// Kwasniewski et al., SC '19: Table 2, Figures 3 and 5.
#include <fmt/format.h>

#include <cmath>

#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "reproduction.hpp"

namespace cairn::app {

namespace {

// On it only words take time: its fastest plan is the one with the fewest on the rank that receives the most.
Machine words_only() {
  Machine m = find_machine("exascale");
  m.levels = {{"network", 0, 0, 1}};
  m.gemm.flops_per_second.fill(1e30);
  m.copy_seconds_per_byte = m.step_seconds = m.precision = 0;
  return m;
}

// With as little more memory than `words` as the algorithm can do with, in steps of a tenth.
Options least_memory(const Machine& machine, const GemmProblem& problem, Options options, Int words) {
  constexpr Int step = 10;
  while (true) try {
      options.memory_words = words;
      cost(machine, problem, options);
      return options;
    } catch (const MemoryError&) {
      words += words / step + 1;
    }
}

}  // namespace

// Square matrices without extra memory, and tall ones with it.
Reproduction cosma_table2() {
  Reproduction r;
  r.setting =
      "square: m = n = k = 4096, S = 2n²/p, words received and own parts of A, B, C; tall: m = n = √p, k = p^(3/2)/4, "
      "S = 2nk/p^(2/3), words received. Ours: counted on the schedules, of the rank with the most";
  r.unit = "words";
  const Machine machine = words_only();
  const auto add = [&](const std::string& what, double paper, const GemmProblem& p, const Options& options) {
    const Cost c = cost(machine, p, options);
    r.lines.push_back({what, paper, p.m == p.k ? c.touched : c.received});
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
        least_memory(machine, product(n, n, n, p), {.algorithm = "carma"}, memory));
    add(label("COSMA"), tight, product(n, n, n, p), {.memory_words = memory, .algorithm = "cosma", .max_idle = 0.0});
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
    add(label("COSMA"), q * (3 - std::cbrt(2)) / std::pow(2, 4.0 / 3), tall, {.algorithm = "cosma", .max_idle = 0.0});
  }
  r.remark =
      "Square: the paper adds S = 2n²/p where a rank holds n²/p of C, and Cannon's skew moves a block of A and of B "
      "more. The recursive decomposition does not fit into S; it gets the least memory that it can do with. Tall: "
      "COSMA's 0.69p is the tight lower bound, whose cuts are no integers; Cairn receives what the recursive "
      "decomposition does.";
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
      "the pictured, small iteration space.";
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
             chosen = cost(machine, p, {.algorithm = "cosma", .max_idle = 0.03});
  r.lines.push_back({"fewer words touched with 4 x 4 x 4", 36.0, 100 * (1 - cubic.touched / stretched.touched)});
  r.lines.push_back({"more computation for it", 1.5, 100 * (cubic.flops / stretched.flops - 1)});
  r.lines.push_back({"fewer words touched by Cairn's own choice", {}, 100 * (1 - chosen.touched / stretched.touched)});
  r.remark = "Words received alone, without a rank's own parts, fall further.";
  return r;
}

}  // namespace cairn::app
