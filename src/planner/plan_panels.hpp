// Which schedule multiplies block-sparse matrices: a dense one, whose elements are panels.
#pragma once
#include <array>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/fetch25d.hpp"
#include "schedule/panel_sizes.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

/// C += A·B of pr × k by k × pc panels on a grid of pr × pc ranks: where panels (i, s) of A and (s, j) of B lie. k =
/// lcm(pr, pc), as many for each column of the grid and for each row, in turn, or a multiple of it that layers can
/// share; crossed, k = pr·pc, one for each row of B on each column of A.
struct PanelGrid {
  PanelGrid(Int rows, Int cols, bool crosses = false)
      : pr(rows), pc(cols), crossed(crosses), k(crosses ? rows * cols : std::lcm(rows, cols)) {}
  PanelGrid() : PanelGrid(1, 1) {}
  /// As this form wants it, if it is one on the grid.
  PanelGrid(Int rows, Int cols, const std::optional<Fetch25d>& form);

  Int pr, pc;
  bool crossed;
  Int k;
  Int of_a = k / pc, of_b = k / pr;  ///< panels of A and of B on a rank; kept, as every block asks for its panel

  Int column_of_a(Int s) const { return crossed ? s % pc : s / of_a; }
  Int row_of_b(Int s) const { return s / of_b; }
  Int place_in_a(Int s) const { return crossed ? s / pc : s % of_a; }  ///< among the panels of its rank
  Int place_in_b(Int s) const { return s % of_b; }
  Int number_in_a(Int column, Int place) const { return crossed ? place * pc + column : column * of_a + place; }
  Int number_in_b(Int row, Int place) const { return row * of_b + place; }
};

/// What of them is known to those who choose a schedule.
struct PanelProblem : PanelGrid {
  double a = 0, b = 0;                            ///< words of A and B, as they are or as they are expected
  std::function<double(double share)> sums = {};  ///< those expected of C, summed over a share of the inner dimension
  /// Words that a rank receives on one layer in the mean, if known: fewer than without it where panels meet nothing.
  std::optional<double> on_one_layer = {};
  bool stays = false;  ///< no sums of C may travel: its pattern is known only where it lies
};

/// One that can multiply them, and the words that a rank receives by it in the mean.
struct PanelCandidate {
  double received;
  Fetch25d form;
};
/// For PanelProblem::on_one_layer, of panels of these sizes. [dbcsr-25d-rma-2017, Algorithm 1, without what meets
/// nothing, and with the shares of panels that are expected to be asked for]
double received_on_one_layer(const PanelSizes& A, const PanelSizes& B, const PanelGrid& grid);
/// All of them, that by which ranks receive fewest words first; of crossed panels only the one that is made for them.
std::vector<PanelCandidate> panel_candidates(const PanelProblem& problem);
/// The order of candidates, also of several grids: fewer words, fewer layers, and the squarer grid first.
bool before(const PanelCandidate& a, const PanelCandidate& b);

/// Of candidates in that order, the place of the first on each number of layers: as many as are compared at most.
std::vector<Int> first_of_each_number_of_layers(const std::vector<PanelCandidate>& candidates);
/// How many panels travel, about, over all ranks.
double panels_that_travel(const Fetch25d& form);

/// The schedule that is spelled: with look-ahead, as it is written (`collective`) and as it is carried out (`wire`).
struct MadePanelSchedule {
  Schedule collective, wire;
};
MadePanelSchedule make_panel_schedule(const PanelProblem& problem, const std::string& spelling);

}  // namespace cairn
