// COSMA's cuts and the schedule that they make.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cairn/problem.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

/// One cut of the m × n × k cuboid: 'p' among ranks, 's' into rounds one after another.
struct CosmaCut {
  char kind;  ///< 'p' or 's'
  char dim;   ///< 'm', 'n' or 'k'
  Int parts;
  bool operator==(const CosmaCut&) const = default;
};

/// "pm2,pn2,pk2,sk4"; throws ArgumentError naming the first word that is not a cut. Cuts into one part are dropped.
std::vector<CosmaCut> parse_cosma_cuts(std::string_view text);
std::string print_cosma_cuts(const std::vector<CosmaCut>& cuts);
/// Product of the parallel cuts of dimension `dim` ('m', 'n', 'k'), or of the sequential ones.
Int parts_of(const std::vector<CosmaCut>& cuts, char kind, char dim);

/// Whether A's panel (k_round columns on each of `sharers` ranks) is shared by cutting its columns: unless some
/// rank would then own none. Likewise B's rows.
inline bool shares_inner(Int extent, Int parallel, Int rounds, Int sharers) {
  return extent / (parallel * rounds) >= sharers;
}

/// Whether M × N sums of C are shared by cutting their columns: where the largest share is the smaller one.
inline bool shares_columns(Int M, Int N, Int sharers) {
  const auto up = [&](Int size) { return (size + sharers - 1) / sharers; };
  const Int by_columns = M * up(N), by_rows = up(M) * N;
  return by_columns < by_rows || (by_columns == by_rows && N >= sharers);
}

/// COSMA [cosma-sc19 Algorithm 1]; throws ArgumentError if the parallel cuts need more than problem.ranks ranks. The
/// schedule is called "cosma CUTS", or by the name of the algorithm that chose the cuts.
Schedule cosma(const GemmProblem& problem, const std::vector<CosmaCut>& cuts, std::string spelling = "");

}  // namespace cairn
