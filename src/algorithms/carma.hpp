// CARMA: the largest dimension is halved until every rank has a block.
#pragma once
#include <vector>

#include "algorithms/cosma.hpp"
#include "algorithms/registry.hpp"

namespace cairn {

/// CARMA's cuts [carma-2013]: `dfs` halvings into two rounds, then log2(ranks) halvings among ranks, each of the
/// dimension that is the largest by then; of equal ones m before n before k. Throws ArgumentError unless `ranks` is a
/// power of two, and for more than 2^20 rounds.
std::vector<CosmaCut> carma_cuts(Int m, Int n, Int k, Int ranks, Int dfs);

/// COSMA's schedule with CARMA's cuts, spelled "carma 8 dfs=2".
Schedule carma(const GemmProblem& problem, Int ranks, Int dfs);
std::string print_carma(Int ranks, Int dfs);

/// From the arguments of a spelling, "8 dfs=2", or "8"; throws ArgumentError.
MadeAlgorithm make_carma(const GemmProblem& problem, std::string_view text);

}  // namespace cairn
