// CARMA: the largest dimension is halved until every rank has a block.
#pragma once
#include <vector>

#include "algorithms/algorithm.hpp"
#include "algorithms/cosma.hpp"

namespace cairn {

/// CARMA's cuts [carma-2013]: `dfs` halvings into two rounds, then log2(ranks) halvings among ranks, each of the
/// dimension that is the largest by then; of equal ones m before n before k. Throws ArgumentError unless `ranks` is a
/// power of two, and for more than 2^20 rounds.
std::vector<CosmaCut> carma_cuts(Int m, Int n, Int k, Int ranks, Int dfs);

/// What CARMA takes: ranks, a power of two, and halvings into rounds.
struct CarmaForm {
  Int ranks, dfs;
};
/// Those worth a look: rounds only where memory is limited.
std::vector<CarmaForm> carma_forms(const Sought& sought);
Outline halved(const Sought& sought, const std::vector<CosmaCut>& cuts);

}  // namespace cairn
