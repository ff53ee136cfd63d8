// The registration of COSMA. Its grids are searched by the planner; registered variants are halvings in turn, which are
// CARMA's.
#include "algorithms/carma.hpp"
#include "cairn/error.hpp"

namespace cairn {

namespace {

using Cuts = std::vector<CosmaCut>;

std::string print(const Cuts& cuts) { return "cosma " + print_cosma_cuts(cuts); }

MadeAlgorithm make(const GemmProblem& problem, const Cuts& cuts) {
  const auto parts = [&](char dim) { return parts_of(cuts, 'p', dim); };
  Int rounds = 1;
  for (const CosmaCut& c : cuts)
    if (c.kind == 's' && __builtin_mul_overflow(rounds, c.parts, &rounds))
      throw ArgumentError("algorithm: the cuts make more rounds than a 64-bit integer counts");
  return {cosma(problem, cuts), {parts('m'), parts('n'), parts('k')}, rounds};
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
