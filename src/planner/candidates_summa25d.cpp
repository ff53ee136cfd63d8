// 2.5D SUMMA's grids, layers and panels.  [communication-avoiding-2012 Algorithm 1, §II]
#include "algorithms/summa25d.hpp"
#include "base/arithmetic.hpp"
#include "planner/closed_form.hpp"

namespace cairn {

namespace {

// A and B are copied to every layer, which then multiplies its share of k in T rounds; the layers' terms are summed.
void add(const Sought& sought, const std::array<Int, 3>& grid, Int b, std::vector<Candidate>& candidates) {
  const auto& [m, n, k] = sought.dims;
  const auto& [pr, pc, L] = grid;
  const Int T = Summa25d{pr, pc, L, b}.rounds(k);
  const Pieces rows{m, pr}, cols{n, pc};
  const double M = real(rows.longest()), N = real(cols.longest()), share = real(k) / real(L);
  const double own = M * real(k) / real(pc) + N * real(k) / real(pr);
  const double width = real(std::min(k, ceil_div(k, L * T)));
  const double along_j = pc > 1 ? share * (1 - 1 / real(pc)) : 0, along_i = pr > 1 ? share * (1 - 1 / real(pr)) : 0;
  Candidate c;
  c.numbers = {pr, pc, L, b};
  c.ranks = pr * pc * L;
  c.received = M * along_j + N * along_i + (L > 1 ? std::max(own, real(L - 1) * M * N) : 0);
  c.messages = real(T - 1) * ((pc > 1 ? 1 - 1 / real(pc) : 0) + (pr > 1 ? 1 - 1 / real(pr) : 0));
  c.memory = (M * N + own) * (L > 1 ? 2 : 1) + width * ((pc > 1 ? M : 0) + (pr > 1 ? N : 0));
  LeastTime t;
  t.M = rows.longest(), t.N = cols.longest(), t.K = ceil_div(k, L);
  t.rounds = std::clamp<Int>(T, 1, std::max<Int>(1, t.K));
  t.nearest = 1;
  t.steps = real(T);
  t.words = std::max(0.0, real(rows.shortest()) * (along_j - (pc > 1 ? width : 0)) +
                              real(cols.shortest()) * (along_i - (pr > 1 ? width : 0)));
  t.messages = std::max(0.0, c.messages - 2);
  if (L > 1) t.last_words = M * N, t.copied = own;
  for (int depth : look_aheads(sought, T)) {
    c.look_ahead = depth;
    c.seconds = least_seconds(sought, t);
    candidates.push_back(c);
  }
}

bool too_large(const Sought& sought, const Candidate& c) {
  return sought.memory_words && c.memory > real(*sought.memory_words);
}

}  // namespace

std::vector<Candidate> candidates_summa25d(const Sought& sought) {
  constexpr Int most_rounds = Int{1} << 20;  // that the algorithm accepts
  std::vector<Candidate> candidates;
  for (const auto& grid : grids_3d(sought)) {
    const Int share = std::max<Int>(1, ceil_div(sought.dims.k, grid[2]));
    const Int fewest = std::max<Int>(1, ceil_div(std::max(grid[0], grid[1]), grid[2]));
    Int last = 0;
    for (Int times : {1, 2, 4, 8}) {
      const Int b = ceil_div(share, fewest * times);
      if (b != last) add(sought, grid, b, candidates);
      last = b;
    }
    for (Int b = last / 4; too_large(sought, candidates.back()) && b >= 1 && sought.dims.k / b < most_rounds; b /= 4)
      add(sought, grid, b, candidates);
  }
  return candidates;
}

// Copies for other layers are as long as k.
std::optional<Shortened> shorten_summa25d(const Sought& sought, const Candidate& c) {
  const auto& [pr, pc, L, b, x, y] = c.numbers;
  return L == 1 && b == 1 ? shorten(sought, {pr, pc}, 'c', c.look_ahead) : std::nullopt;
}

std::string spell_summa25d(const Candidate& c) {
  return print_summa25d({c.numbers[0], c.numbers[1], c.numbers[2], c.numbers[3]});
}

}  // namespace cairn
