// Hasanov, Quintin and Lastovetsky, 2014: Figures 5, 10 and 11.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reproduction.hpp"

namespace cairn::app {

namespace {

// Hockney's α and β of the paper's analysis, per message and per element.
struct Hockney {
  double alpha, beta;
};

// §4.2: communication of HSUMMA with M = b by scatter-allgather broadcasts, G groups in a square; SUMMA is G = 1.
double scatter_allgather(double n, double p, double b, double G, Hockney h) {
  const double inner = std::log2(p / G) + 2 * (std::sqrt(p / G) - 1), outer = std::log2(G) + 2 * (std::sqrt(G) - 1);
  return (inner + outer) * h.alpha * n / b +
         4 * (2 - std::sqrt(G / p) - 1 / std::sqrt(G)) * n * n / std::sqrt(p) * h.beta;
}

// HSUMMA on a s × t grid in I × J groups, by the clock. Block-cyclic, so that a part of the inner dimension is
// typical of all of it: `panels` of n/b panels are clocked.
struct Clocked {
  const Machine& machine;
  Int n, b, s, t;
  Int panels;

  Cost operator()(Int I, Int J) const {
    const std::string algorithm = I * J == 1
                                      ? fmt::format("summa {}x{} b={} cyclic", s, t, b)
                                      : fmt::format("hsumma {}x{} groups={}x{} M={} b={} cyclic", s, t, I, J, b, b);
    const Options options{.algorithm = algorithm, .look_ahead = 0, .collectives = "bcast=scatter_allgather"};
    Cost c = clocked(machine, product(n, n, panels * b, s * t), options);
    const double whole = static_cast<double>(n / b) / static_cast<double>(panels);
    c.seconds *= whole;
    c.computation *= whole;
    return c;
  }
};

// G = 1, 2, 4, … as nearly square groups.
std::pair<Int, Int> groups(Int G) {
  Int I = 1;
  while (I * I * 4 <= G) I *= 2;
  return {I, G / I};
}

}  // namespace

Reproduction hsumma_figure5() {
  Reproduction r;
  constexpr Int n = Int{1} << 22, b = 256, s = 1024, panels = 2;
  const double p = static_cast<double>(s * s);
  const Machine machine = find_machine("exascale");
  r.setting = fmt::format(
      "n = 2^22, b = M = 256, p = 2^20, exascale roadmap: 500 ns, 100 GB/s, 1e18 flop/s; seconds of communication; the "
      "paper's: its formula of §4.2; ours: the clock on the schedules, scatter-allgather broadcasts, {} of {} panels "
      "clocked",
      panels, n / b);
  r.unit = "s";
  const Hockney h{500e-9, 8 / 100e9};
  const Clocked clocked{machine, n, b, s, s, panels};
  Curve paper{"formula of §4.2", {}, {}}, ours{"Cairn's clock", {}, {}};
  double least = 0;
  Int best = 0;
  for (Int side = 1; side <= s; side *= 4) {
    const Int G = side * side;
    const double theirs = scatter_allgather(static_cast<double>(n), p, b, static_cast<double>(G), h);
    const double mine = clocked(side, side).communication();
    r.lines.push_back({fmt::format("G = {}{}", G, G == 1 ? " (SUMMA)" : ""), theirs, mine});
    paper.x.push_back(static_cast<double>(G)), paper.y.push_back(theirs);
    ours.x.push_back(static_cast<double>(G)), ours.y.push_back(mine);
    if (best == 0 || mine < least) best = G, least = mine;
  }
  r.lines.push_back({"G with the least", std::sqrt(p), static_cast<double>(best)});
  r.x_label = "groups", r.y_label = "communication, s", r.log_x = true;
  r.curves = {paper, ours};
  return r;
}

Reproduction hsumma_figure10() {
  Reproduction r;
  constexpr Int n = 65536, b = 256, s = 128, panels = 16;
  const Machine machine = find_machine("shaheen");
  r.setting = fmt::format(
      "n = {}, b = M = {}, 128 x 128 cores of Shaheen; ours: the clock without contention, scatter-allgather "
      "broadcasts, "
      "{} of {} panels clocked",
      n, b, panels, n / b);
  r.unit = "s, or as said";
  const Clocked clocked{machine, n, b, s, s, panels};
  Curve curve{"HSUMMA, Cairn's clock", {}, {}};
  Cost summa, least;
  Int best = 0;
  for (Int G = 1; G <= s * s; G *= 2) {
    const auto [I, J] = groups(G);
    if (J > s) break;
    const Cost c = clocked(I, J);
    if (G == 1) summa = c;
    if (best == 0 || c.seconds < least.seconds) best = G, least = c;
    curve.x.push_back(static_cast<double>(G)), curve.y.push_back(c.seconds);
  }
  r.lines.push_back({"SUMMA, all", 50.2, summa.seconds});
  r.lines.push_back({"HSUMMA, all, best G", 21.26, least.seconds});
  r.lines.push_back({"best G", 512, static_cast<double>(best)});
  r.lines.push_back({"SUMMA / HSUMMA, all", 2.36, summa.seconds / least.seconds});
  r.lines.push_back({"SUMMA / HSUMMA, communication", 5.89, summa.communication() / least.communication()});
  r.remark =
      "Without contention a scatter-allgather broadcast takes two transfers of the panel however many ranks take part, "
      "so "
      "that groups save latency alone: the clock finds SUMMA and HSUMMA nearly alike at every G, and G = p is SUMMA "
      "again. The paper's times are measured on a torus, with the contention that the clock leaves out.";
  r.x_label = "groups", r.y_label = "s", r.log_x = true;
  r.curves = {curve};
  return r;
}

Reproduction hsumma_figure11() {
  Reproduction r;
  constexpr Int n = 65536, b = 256, panels = 16;
  const Machine machine = find_machine("shaheen");
  r.setting = fmt::format(
      "n = {}, b = M = {}, Shaheen, SUMMA's communication over HSUMMA's with its best G; ours: the "
      "clock without contention, scatter-allgather broadcasts",
      n, b);
  r.unit = "times";
  Curve summa{"SUMMA", {}, {}}, hsumma{"HSUMMA, best G", {}, {}};
  for (Int p : {Int{2048}, Int{4096}, Int{8192}, Int{16384}}) {
    Int s = 1;
    while (s * s * 4 <= p) s *= 2;
    const Clocked clocked{machine, n, b, s, p / s, panels};
    const double plain = clocked(1, 1).communication();
    double least = plain;
    for (Int G = 2; G < p; G *= 2)
      if (const auto [I, J] = groups(G); I <= s && J <= p / s) least = std::min(least, clocked(I, J).communication());
    const auto paper = p == 2048 ? std::optional(2.08) : p == 16384 ? std::optional(5.89) : std::nullopt;
    r.lines.push_back({fmt::format("{} cores", p), paper, plain / least});
    summa.x.push_back(static_cast<double>(p)), summa.y.push_back(plain);
    hsumma.x.push_back(static_cast<double>(p)), hsumma.y.push_back(least);
  }
  r.remark =
      "As in Figure 10: the paper's gain, which grows with the cores, is measured on a torus; the clock knows no "
      "contention, and sees next to nothing for groups to save.";
  r.x_label = "cores", r.y_label = "communication, s", r.log_x = true;
  r.curves = {summa, hsumma};
  return r;
}

}  // namespace cairn::app
