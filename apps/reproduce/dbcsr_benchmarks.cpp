// The benchmarks of Lazzaro et al., PASC '17, and the machine on which they ran.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/arithmetic.hpp"
#include "dbcsr.hpp"
#include "planner/plan_facts.hpp"

namespace cairn::app {

const std::array<DbcsrBenchmark, 3>& dbcsr_benchmarks() {
  static const std::array<DbcsrBenchmark, 3> all{{{"H2O-DFT-LS",
                                                   {6912, 23},
                                                   193,
                                                   2.7,
                                                   0.15,
                                                   {{{10, 20, 2, 640, 491, 325, 298, 260},
                                                     {20, 20, 4, 318, 228, 212, 184, 148},
                                                     {27, 27, 9, 236, 145, 155, 137, 117},
                                                     {36, 36, 4, 177, 108, 136, 120, 85},
                                                     {36, 36, 9, 177, 96, 136, 120, 92},
                                                     {52, 52, 4, 122, 70, 99, 85, 55}}}},
                                                  {"S-E",
                                                   {186624, 6},
                                                   1198,
                                                   2.1,
                                                   6e-4,
                                                   {{{10, 20, 2, 856, 630, 558, 500, 459},
                                                     {20, 20, 4, 445, 286, 390, 310, 310},
                                                     {27, 27, 9, 329, 200, 310, 246, 314},
                                                     {36, 36, 4, 247, 140, 282, 205, 199},
                                                     {36, 36, 9, 247, 125, 282, 205, 254},
                                                     {52, 52, 4, 171, 93, 249, 178, 172}}}},
                                                  {"Dense",
                                                   {1875, 32},
                                                   10,
                                                   1,
                                                   1,
                                                   {{{10, 20, 2, 51, 38, 42.8, 43.0, 43.9},
                                                     {20, 20, 4, 26, 15, 22.1, 21.9, 23.6},
                                                     {27, 27, 9, 20, 10, 13.3, 13.3, 15.5},
                                                     {36, 36, 4, 15, 8, 11.2, 10.9, 10.5},
                                                     {36, 36, 9, 15, 6, 11.2, 10.9, 11.6},
                                                     {52, 52, 4, 10, 5, 10.8, 10.0, 9.7}}}}}};
  return all;
}

std::string DbcsrNodes::cannon() const { return fmt::format("cannon {}x{}", pr, pc); }
std::string DbcsrNodes::one_layer() const { return fmt::format("fetch25d {}x{}", pr, pc); }
std::string DbcsrNodes::in_layers() const {
  const Int root = static_cast<Int>(std::lround(std::sqrt(layers)));
  return one_layer() + (pr == pc ? fmt::format(" layers={}x{}", root, root) : fmt::format(" layers=1x{}", layers));
}

BlockProblem DbcsrBenchmark::problem(BlockDim square, double occupancy, Int pr, Int pc) const {
  BlockProblem p{square, square, square, occupancy, occupancy};
  p.occupancy_c = std::min(1.0, c_over_ab * occupancy), p.ranks = pr * pc;
  return p;
}

BlockProblem DbcsrBenchmark::problem(const DbcsrNodes& c) const {
  const DbcsrNodes& fitted = columns[1];
  const double n = real(dim.elements()),
               words = fitted.volume * gib / (bytes_a_word * real(products)) * real(fitted.pr) / 2;
  return problem(dim, c_over_ab == 1 ? 1 : words / (n * n), c.pr, c.pc);
}

bool DbcsrBenchmark::repeated(const DbcsrNodes& c) const {
  return &c != columns.data() && (&c)[-1].pr == c.pr && (&c)[-1].pc == c.pc;
}

std::string DbcsrBenchmark::at(const DbcsrNodes& c) const { return fmt::format("{}, {} nodes", name, c.nodes()); }
std::string DbcsrBenchmark::at(const DbcsrNodes& c, Int l) const { return fmt::format("{}, L = {}", at(c), l); }

Machine piz_daint_2017(const DbcsrBenchmark& b) {
  Machine m = find_machine("piz-daint");
  m.name = "piz-daint XC30";
  const DbcsrNodes& c = b.columns[0];
  const BlockProblem p = b.problem(c);
  const double n = real(b.dim.elements()), flops = 2 * n * n * n * p.occupancy_a * p.occupancy_b * real(b.products);
  m.gemm = {};
  m.gemm.flops_per_second.fill(flops / (real(p.ranks) * c.ptp));
  constexpr double bytes_per_second = 2.35e9, memory = 51.2e9;
  m.levels = {{"network", 0, 1.3e-6, 1 / bytes_per_second, 0, 0.2e-6}};
  m.copy_seconds_per_byte = 3 / memory;
  return m;
}

BlockPlan plan_by(const Machine& machine, const BlockProblem& problem, const std::string& algorithm) {
  Options o;
  o.algorithm = algorithm;
  return plan_on(machine, problem, o);
}

}  // namespace cairn::app
