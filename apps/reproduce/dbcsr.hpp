// What the tables and figures of Lazzaro et al., PASC '17, have in common: the benchmarks of Tables 1 and 2, as
// problems for the planner, and the machine on which they ran.
#pragma once
#include <array>
#include <string>

#include "cairn/block_plan.hpp"
#include "reproduction.hpp"

namespace cairn::app {

constexpr double bytes_a_word = 8, mib = 1 << 20, gib = 1 << 30;

/// One number of nodes: layers, and the paper's volumes and seconds by Cannon (PTP; OS1 moves as much) and in layers.
struct DbcsrNodes {
  Int pr, pc;
  Int layers;
  double volume, volume_in_layers;
  double ptp, os1, osl;

  Int nodes() const { return pr * pc; }
  // Spellings of the schedules: on square grids layers cut both ways, on others along the longer side.
  std::string cannon() const;
  std::string one_layer() const;
  std::string in_layers() const;
};

struct DbcsrBenchmark {
  const char* name;
  BlockDim dim;
  Int products;
  double c_over_ab;          ///< S_C over S_A,B
  double highest_occupancy;  ///< of the range in Table 1
  std::array<DbcsrNodes, 6> columns;

  /// Occupancies are those with which Equation 7 gives the volume on 400 nodes; the dense one is full.
  BlockProblem problem(const DbcsrNodes& c) const;
  /// A product of as many ranks as the grid has, with S_C over S_A,B as in this benchmark.
  BlockProblem problem(BlockDim square, double occupancy, Int pr, Int pc) const;
  /// Whether an earlier column has the same nodes.
  bool repeated(const DbcsrNodes& c) const;
  std::string at(const DbcsrNodes& c) const;
  std::string at(const DbcsrNodes& c, Int l) const;
};

/// Of Tables 1 and 2; 1296 nodes are there twice, with four layers and with nine.
const std::array<DbcsrBenchmark, 3>& dbcsr_benchmarks();

/// One rank a node. Products take what they take on 200 nodes by Cannon, in all.
Machine piz_daint_2017(const DbcsrBenchmark& b);

/// By one algorithm in its one-line spelling.
BlockPlan plan_by(const Machine& machine, const BlockProblem& problem, const std::string& algorithm);

}  // namespace cairn::app
