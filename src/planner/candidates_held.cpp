// SUMMA where the caller's matrices lie: the matrix that stays, and how many rounds.
#include <limits>

#include "algorithms/summa.hpp"
#include "algorithms/summa_held.hpp"
#include "base/arithmetic.hpp"
#include "interpret/count.hpp"
#include "planner/closed_form.hpp"
#include "planner/redistribution.hpp"
#include "schedule/effect.hpp"

namespace cairn {

namespace {

// What one round of everything moves: as there are no sizes of pieces but those of the caller's blocks, it is read off
// the schedule.
struct InOneRound {
  Int most = 0;                  // words received by the rank with the most
  Int gathered = 0, summed = 0;  // before and after the product, by the ranks with the fewest
  double redistributed = 0;      // seconds
  Int M = 0, N = 0, K = 0;       // the largest local product
};

InOneRound in_one_round(const Schedule& s, const Machine& machine, ScalarType type) {
  constexpr Int most_looked_at = 128;
  const std::vector<Effect> does = effects(s);
  InOneRound x;
  x.gathered = x.summed = std::numeric_limits<Int>::max();
  for (Int r = 0; r < std::min(s.grid.size(), most_looked_at); ++r) {
    Int gathered = 0, summed = 0;
    for (const Effect& e : does)
      if (as_move(e)) (sums(e) ? summed : gathered) += words_received(s, e, r);
    x.most = std::max(x.most, gathered + summed);
    x.gathered = std::min(x.gathered, gathered), x.summed = std::min(x.summed, summed);
  }
  const auto longest = [&](Slot slot, const Dim Layout::*dim) {
    const Layout& l = s.layout(slot);
    Int most = 0;
    for (Int r = 0; r < std::min(s.grid.size(), most_looked_at); ++r)
      if (l.live(r)) most = std::max(most, (l.*dim).size(s.grid, r));
    return most;
  };
  for (const Effect& e : does)
    if (const Compute* g = as_compute(e)) {
      x.M = std::max(x.M, longest(g->C, &Layout::rows)), x.N = std::max(x.N, longest(g->C, &Layout::cols));
      x.K += longest(g->A, &Layout::cols);
    }
  x.redistributed = redistribution_seconds(s, machine, type);
  return x;
}

void add(const Sought& sought, const std::array<Int, 2>& grid, char stays, std::vector<Candidate>& candidates) {
  const Dims& d = sought.dims;
  const Int inner = stays == 'a' ? d.n : stays == 'b' ? d.m : d.k;
  const auto form = [&](Int b) { return SummaForm{grid[0], grid[1], b, stays, false, true}; };
  InOneRound one;
  constexpr Int least_width = 256;  // of several rounds: below, products are slow and steps many
  constexpr Int least_depth = 64;   // of a turn: each reads and writes C once more
  std::vector<Int> widths{std::max<Int>(1, inner)};
  if (stays == 'c' && grid[0] > 1 && inner >= grid[0] * least_depth) widths.push_back(ceil_div(inner, grid[0]));
  for (Int parts : {2, 4, 8, 16})
    if (inner >= parts * least_width) widths.push_back(ceil_div(inner, parts));
  if (const Int fits = width_that_fits(sought, grid, stays); fits < widths.back()) widths.push_back(fits);
  Int last = 0;
  for (Int b : widths) {
    const Schedule s = summa_held(*sought.problem, form(b));
    const Int rounds = computations(s);
    if (rounds == last) continue;
    if (last == 0) one = in_one_round(s, sought.machine, sought.type);
    last = rounds;
    Candidate c;
    c.numbers = {grid[0], grid[1], b, stays, 0, 1};
    c.ranks = grid[0] * grid[1];
    c.received = real(one.most);
    c.memory = summa_memory(sought, grid, stays, b);
    LeastTime t;
    t.M = one.M, t.N = one.N, t.K = one.K;
    t.cut = stays == 'a' ? 'n' : stays == 'b' ? 'm' : 'k';
    t.rounds = rounds;
    t.steps = real(rounds);
    t.words = real(one.gathered), t.copied = real(one.summed);
    for (int depth : look_aheads(sought, rounds)) {
      c.look_ahead = depth;
      c.seconds = least_seconds(sought, t) + one.redistributed;
      candidates.push_back(c);
    }
  }
}

}  // namespace

template <char stays>
std::vector<Candidate> candidates_held(const Sought& sought) {
  std::vector<Candidate> candidates;
  if (const auto grid = sought.problem ? held_grid(*sought.problem, stays) : std::nullopt)
    if ((*grid)[0] * (*grid)[1] >= sought.fewest) add(sought, *grid, stays, candidates);
  return candidates;
}

template std::vector<Candidate> candidates_held<'a'>(const Sought&);
template std::vector<Candidate> candidates_held<'b'>(const Sought&);
template std::vector<Candidate> candidates_held<'c'>(const Sought&);

}  // namespace cairn
