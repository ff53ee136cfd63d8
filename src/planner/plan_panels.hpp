// Which schedule multiplies block-sparse matrices: a dense one, whose elements are panels.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "schedule/schedule.hpp"

namespace cairn {

/// C += A·B of pr × k by k × pc panels, k = lcm(pr, pc): panel (i, s) of A lies on column s·pc/k of a grid of pr × pc
/// ranks, panel (s, j) of B on its row s·pr/k.
struct PanelProblem {
  Int pr = 1, pc = 1;
  std::array<double, 3> words{};  ///< of A and B, and those expected of C
  bool stays = false;             ///< no sums of C may travel: its pattern is known only where it lies
  Int k() const;
};

/// Spellings of all that can multiply them, that by which ranks receive fewest words first.
std::vector<std::string> panel_schedules(const PanelProblem& problem);
/// The schedule that is spelled: with look-ahead, as it is written (`collective`) and as it is carried out (`wire`).
struct MadePanelSchedule {
  Schedule collective, wire;
};
MadePanelSchedule make_panel_schedule(const PanelProblem& problem, const std::string& spelling);

}  // namespace cairn
