// What `cairn reproduce` regenerates: a paper's table or figure, our numbers beside the paper's.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cairn/plan.hpp"
#include "model/machine.hpp"

namespace cairn::app {

/// One number of the paper and ours. Absent: the paper prints no number for it (a curve of a figure), or it says so in
/// words only.
struct Compared {
  std::string what;
  std::optional<double> paper;
  double ours = 0;
};

/// A curve: what the figure plots, from our numbers.
struct Curve {
  std::string name;
  std::vector<double> x, y;
};

struct Reproduction {
  std::string setting;  ///< sizes, ranks, machine, assumptions
  std::string unit;     ///< of paper and ours
  std::vector<Compared> lines;
  std::string remark;  ///< an honest sentence or two: where they differ, and why
  std::string x_label, y_label;
  bool log_x = false;
  std::vector<Curve> curves;  ///< empty unless it is drawn
};

struct Reproducible {
  const char* name;    ///< as typed: "cosma-figure5"
  const char* source;  ///< "[cosma-sc19 Figure 5]: 65 ranks …"
  Reproduction (*make)();
  bool drawn = false;  ///< whether it has curves
};

/// What a plan of one fixed algorithm costs.
struct Cost {
  double received = 0;     ///< words, of the rank with the most
  double touched = 0;      ///< received, and its own parts of A, B and C
  double flops = 0;        ///< of the rank with the most
  double mean_wire = 0;    ///< words on the wire, mean over all ranks
  double seconds = 0;      ///< by the clock
  double computation = 0;  ///< of these, products
  double communication() const { return seconds - computation; }
};
Cost cost(const Machine& machine, const GemmProblem& problem, const Options& options);
/// The same of an algorithm in its one-line spelling, the times of its steps up to so many products alone: nothing is
/// counted, and nothing chosen.
Cost clocked(const Machine& machine, const GemmProblem& problem, const Options& options, Int panels);
GemmProblem product(Int m, Int n, Int k, Int ranks);

Reproduction cosma_table2();
Reproduction cosma_figure3();
Reproduction cosma_figure5();
Reproduction cosma_table3();
Reproduction hsumma_figure5();
Reproduction hsumma_figure10();
Reproduction hsumma_figure11();
Reproduction overlap_figure4();
Reproduction overlap_figure5();
Reproduction overlap_figure6();
Reproduction overlap_figure8();
Reproduction overlap_figure9();
Reproduction dbcsr_table2();
Reproduction dbcsr_figure1();
Reproduction dbcsr_figure2();
Reproduction dbcsr_figure3();
Reproduction dbcsr_figure4();
Reproduction dbcsr_memory();

/// All of them, in the order in which they are listed.
const std::vector<Reproducible>& reproducibles();

}  // namespace cairn::app
