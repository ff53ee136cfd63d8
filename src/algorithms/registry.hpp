// All algorithms by name, and the one-line spellings that people type.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/relabelling.hpp"
#include "cairn/problem.hpp"

namespace cairn {

/// A schedule and how it cuts the m × n × k cuboid.
struct MadeAlgorithm {
  Schedule schedule;
  std::array<Int, 3> grid{1, 1, 1};  ///< parts among ranks of m, n, k
  Int rounds = 1;                    ///< parts one after another
  std::string cuts{};                ///< those that the algorithm chose, if its spelling does not say them
  bool held = false;                 ///< its grid is the caller's
  Relabelling relabelling{};         ///< of the ranks at its positions, where the planner asked for one
};

/// "cosma pm2,pn2,pk2,sk4" on this problem. Throws ArgumentError for an unknown name, listing the known ones, for
/// arguments that are not the algorithm's, and for a grid larger than problem.ranks.
MadeAlgorithm make_algorithm(const GemmProblem& problem, std::string_view spelling);

/// The spelling for another problem that makes as many rounds there, where the algorithm's widths are free.
std::string spelled_alike(const std::string& spelling, Int rounds, const GemmProblem& problem);

std::vector<std::string_view> algorithm_names();

/// The first word of a spelling.
std::string_view algorithm_name(std::string_view spelling);
/// Whether the spelling leaves the cuts to the planner: nothing, or a name alone.
bool leaves_cuts_open(std::string_view spelling);

}  // namespace cairn
