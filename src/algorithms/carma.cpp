#include "algorithms/carma.hpp"

#include <fmt/format.h>

#include "algorithms/arguments.hpp"
#include "cairn/error.hpp"

namespace cairn {

std::vector<CosmaCut> carma_cuts(Int m, Int n, Int k, Int ranks, Int dfs) {
  constexpr Int most = 20;  // 2^20 rounds, each a few steps of the schedule
  if (ranks < 1 || (ranks & (ranks - 1)) != 0)
    throw ArgumentError(
        fmt::format("algorithm: carma on {} ranks, expected a power of two, as in carma 8 dfs=2", ranks));
  if (dfs > most)
    throw ArgumentError(
        fmt::format("algorithm: carma with dfs={}, expected at most {}, as in carma 8 dfs=2", dfs, most));
  std::vector<CosmaCut> cuts;
  const auto halve = [&](char kind) {
    const Int longest = std::max({m, n, k});
    const char dim = m == longest ? 'm' : n == longest ? 'n' : 'k';
    Int& size = dim == 'm' ? m : dim == 'n' ? n : k;
    size = (size + 1) / 2;
    cuts.push_back({kind, dim, 2});
  };
  for (Int step = 0; step < dfs; ++step) halve('s');
  for (; ranks > 1; ranks /= 2) halve('p');
  return cuts;
}

// CARMA.  [carma-2013; cosma-sc19 §2.4, Table 2]   layouts and steps are cosma()'s
// Received, for even pieces and without dfs, with pm·pn·pk = ranks by halving:
//   mk/(pm pk)·(1-1/pn) + kn/(pk pn)·(1-1/pm) + mn/(pm pn)·(1-1/pk)
Schedule carma(const GemmProblem& p, Int ranks, Int dfs) {
  return cosma(p, carma_cuts(p.m, p.n, p.k, ranks, dfs), print_carma(ranks, dfs));
}

std::string print_carma(Int ranks, Int dfs) {
  return fmt::format("carma {}{}", ranks, dfs > 0 ? fmt::format(" dfs={}", dfs) : "");
}

MadeAlgorithm make_carma(const GemmProblem& problem, std::string_view text) {
  Arguments arguments(text, "carma 8 dfs=2, the last if wanted");
  const Int ranks = arguments.sizes(1).front(), dfs = arguments.number("dfs", 0);
  arguments.finish();
  const std::vector<CosmaCut> cuts = carma_cuts(problem.m, problem.n, problem.k, ranks, dfs);
  const auto parts = [&](char dim) { return parts_of(cuts, 'p', dim); };
  return {carma(problem, ranks, dfs), {parts('m'), parts('n'), parts('k')}, Int{1} << dfs, print_cosma_cuts(cuts)};
}

}  // namespace cairn
