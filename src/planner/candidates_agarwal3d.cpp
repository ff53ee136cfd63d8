// The 3D algorithm's grids.  [agarwal-1995; communication-avoiding-2012 §II.A]
#include "algorithms/agarwal3d.hpp"
#include "base/arithmetic.hpp"
#include "planner/closed_form.hpp"

namespace cairn {

namespace {

Candidate candidate(const Sought& sought, const std::array<Int, 3>& grid) {
  const auto& [pm, pn, pk] = grid;
  const Pieces m{sought.dims.m, pm}, n{sought.dims.n, pn}, k{sought.dims.k, pk};
  const Int M = m.longest(), N = n.longest(), K = k.longest();
  Candidate c;
  c.numbers = {pm, pn, pk};
  c.ranks = pm * pn * pk;
  for (Int i : {Int{0}, std::min<Int>(1, pm - 1)})
    for (Int j : {Int{0}, std::min<Int>(1, pn - 1)})
      c.received = std::max(c.received,
                            real((j > 0 ? m.at(i) * K : 0) + (i > 0 ? K * n.at(j) : 0) + (pk - 1) * m.at(i) * n.at(j)));
  c.messages = (pm > 1) + (pn > 1);
  c.memory = real(M * K * (pn > 1 ? 2 : 1) + K * N * (pm > 1 ? 2 : 1) + M * N * (pk > 1 ? 2 : 1));
  LeastTime t;
  t.M = m.shortest(), t.N = n.shortest(), t.K = K;
  t.first_words = real((pn > 1 ? m.shortest() * K : 0) + (pm > 1 ? K * n.shortest() : 0));
  t.first_messages = c.messages;
  if (pk > 1) t.last_words = real(m.shortest() * n.shortest());
  t.steps = 1;
  c.seconds = least_seconds(sought, t);
  return c;
}

}  // namespace

std::vector<Candidate> candidates_agarwal3d(const Sought& sought) {
  std::vector<Candidate> candidates;
  for (const auto& grid : grids_3d(sought)) {
    candidates.push_back(candidate(sought, grid));
    candidates.back().look_ahead = sought.look_ahead.value_or(0);
  }
  return candidates;
}

std::string spell_agarwal3d(const Candidate& c) { return print_agarwal3d(c.numbers[0], c.numbers[1], c.numbers[2]); }

}  // namespace cairn
