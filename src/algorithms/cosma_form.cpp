// The registration of COSMA. Its grids are searched by the planner; registered variants are halvings in turn, which are
// CARMA's.
#include "algorithms/carma.hpp"

namespace cairn {

namespace {

using Cuts = std::vector<CosmaCut>;

std::string print(const Cuts& cuts) { return "cosma " + print_cosma_cuts(cuts); }

MadeAlgorithm make(const GemmProblem& problem, const Cuts& cuts) {
  const auto parts = [&](char kind, char dim) { return parts_of(cuts, kind, dim); };
  const Int rounds = parts('s', 'm') * parts('s', 'n') * parts('s', 'k');  // few: parse_cosma_cuts() refuses more
  return {cosma(problem, cuts), {parts('p', 'm'), parts('p', 'n'), parts('p', 'k')}, rounds};
}

std::vector<Cuts> variants(const Sought& sought) {
  std::vector<Cuts> all;
  for (const auto& [ranks, dfs] : carma_forms(sought))
    all.push_back(carma_cuts(sought.dims.m, sought.dims.n, sought.dims.k, ranks, dfs));
  return all;
}

}  // namespace

Algorithm cosma_algorithm() { return Typed<Cuts>{"cosma", parse_cosma_cuts, print, make, variants, halved}; }

}  // namespace cairn
