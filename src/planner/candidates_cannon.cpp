// Cannon's grids and layers, 2D and 2.5D.  [cannon-1969; dbcsr-25d-rma-2017 §2]
#include <cmath>
#include <numeric>

#include "algorithms/cannon.hpp"
#include "base/arithmetic.hpp"
#include "planner/closed_form.hpp"

namespace cairn {

namespace {

constexpr Int most_pieces = 1024;  // of the inner dimension, one a step

// The inner dimension comes in V = lcm(pr, pc) pieces, V/L for each layer. A rank gets one piece of A and one of B a
// step; those in the first row (column) of ranks have the first one of A (of B) already.
void add(const Sought& sought, Int pr, Int pc, Int L, std::vector<Candidate>& candidates) {
  const auto& [m, n, k] = sought.dims;
  const Int V = std::lcm(pr, pc), steps = V / L;
  const Pieces rows{m, pr}, cols{n, pc};
  const double piece = real(k) / real(V), share = real(k) / real(L);
  const double M = real(rows.longest()), N = real(cols.longest());
  const double copies = L > 1 ? M * real(k) / real(pc) + N * real(k) / real(pr) : 0;
  const auto moved = [&](Int i, Int j) {  // along both axes, on layer 0
    const double a = pc == 1 ? 0 : real(rows.at(i)) * (share - (i == 0 ? piece : 0));
    const double b = pr == 1 ? 0 : real(cols.at(j)) * (share - (j == 0 ? piece : 0));
    return a + b;
  };
  double most = 0;
  for (Int i : {Int{0}, std::min<Int>(1, pr - 1)})
    for (Int j : {Int{0}, std::min<Int>(1, pc - 1)}) most = std::max(most, moved(i, j));
  Candidate c;
  c.numbers = {pr, pc, L};
  c.ranks = pr * pc * L;
  c.received = most + (L > 1 ? std::max(copies, real(L - 1) * M * N) : 0);
  c.messages = real(steps - 1) * ((pr > 1) + (pc > 1));
  c.memory = M * N + M * real(k) / real(pc) + N * real(k) / real(pr);
  if (L > 1) c.memory += std::max(copies, M * N);
  if (L == 1) c.memory += std::floor(piece) * (M + N);
  LeastTime t;
  t.M = rows.longest(), t.N = cols.longest(), t.K = (k + L - 1) / L;
  t.rounds = std::clamp<Int>(steps, 1, std::max<Int>(1, t.K));
  t.nearest = L;
  t.steps = real(steps);
  t.words = real(rows.shortest()) * (pc > 1 ? share - piece : 0) + real(cols.shortest()) * (pr > 1 ? share - piece : 0);
  t.messages = c.messages;
  if (L > 1) t.last_words = M * N, t.copied = copies, t.nearest = 1;
  for (int depth : look_aheads(sought, steps)) {
    c.look_ahead = depth;
    c.seconds = least_seconds(sought, t);
    candidates.push_back(c);
  }
}

}  // namespace

std::vector<Candidate> candidates_cannon(const Sought& sought) {
  std::vector<Candidate> candidates;
  for (const auto& [pr, pc] : grids_2d(sought)) {
    const Int V = std::lcm(pr, pc), fit = sought.ranks / (pr * pc);
    if (V > most_pieces || V > std::max<Int>(pr == pc ? V : 1, sought.dims.k)) continue;
    add(sought, pr, pc, 1, candidates);
    for (Int L = 2; L <= fit; ++L)
      if (V % L == 0) add(sought, pr, pc, L, candidates);
  }
  return candidates;
}

std::string spell_cannon(const Candidate& c) { return print_cannon(c.numbers[0], c.numbers[1], c.numbers[2]); }

}  // namespace cairn
