// CARMA's numbers of ranks and of halvings into rounds.  [carma-2013; cosma-sc19 §2.4]
#include "algorithms/carma.hpp"
#include "base/arithmetic.hpp"
#include "planner/closed_form.hpp"

namespace cairn {

namespace {

Candidate candidate(const Sought& sought, Int ranks, Int dfs) {
  const auto& [m, n, k] = sought.dims;
  const std::vector<CosmaCut> cuts = carma_cuts(m, n, k, ranks, dfs);
  const auto parts = [&](char kind, char dim) { return parts_of(cuts, kind, dim); };
  const Int pm = parts('p', 'm'), pn = parts('p', 'n'), pk = parts('p', 'k');
  const Pieces rows{m, pm}, cols{n, pn}, inner{k, pk};
  const double M = real(rows.longest()), N = real(cols.longest()), K = real(inner.longest());
  const double a = M * K * (1 - 1 / real(pn)), b = K * N * (1 - 1 / real(pm)), c = M * N * (1 - 1 / real(pk));
  const double rounds = real(Int{1} << dfs);
  Candidate x;
  x.numbers = {ranks, dfs, m, n, k};
  x.ranks = ranks;
  x.received = a + b + c;
  for (const CosmaCut& cut : cuts) x.messages += cut.kind == 'p' ? 1 : 0;
  x.memory = real(m) * real(k) / real(ranks) + real(k) * real(n) / real(ranks) + real(m) * real(n) / real(ranks) +
             ((pn > 1 ? M * K : 0) + (pm > 1 ? K * N : 0) + (pk > 1 ? M * N : 0)) / rounds;
  LeastTime t;
  t.M = rows.shortest(), t.N = cols.shortest(), t.K = inner.shortest();
  t.words = (real(rows.shortest()) * real(inner.shortest()) * (1 - 1 / real(pn)) +
             real(cols.shortest()) * real(inner.shortest()) * (1 - 1 / real(pm))) /
            2;
  t.last_words = (pk > 1 ? real(rows.shortest() * cols.shortest()) * (1 - 1 / real(pk)) : 0) / rounds / 2;
  t.steps = rounds;
  x.seconds = least_seconds(sought, t);
  return x;
}

}  // namespace

std::vector<Candidate> candidates_carma(const Sought& sought) {
  std::vector<Candidate> candidates;
  const Int most_halvings = sought.memory_words ? 6 : 0;  // only memory asks for rounds
  for (Int ranks = 1; ranks <= sought.ranks; ranks *= 2) {
    if (ranks < sought.fewest) continue;
    for (Int dfs = 0; dfs <= most_halvings; ++dfs) {
      const Candidate c = candidate(sought, ranks, dfs);
      for (int depth : look_aheads(sought, Int{1} << dfs)) {
        candidates.push_back(c);
        candidates.back().look_ahead = depth;
      }
    }
  }
  return candidates;
}

std::string spell_carma(const Candidate& c) { return print_carma(c.numbers[0], c.numbers[1]); }

std::string spell_halvings(const Candidate& c) {
  const auto& [ranks, dfs, m, n, k, x] = c.numbers;
  return "cosma " + print_cosma_cuts(carma_cuts(m, n, k, ranks, dfs));
}

}  // namespace cairn
