// SUMMA's grids, the matrix that stays, and the width of its panels.  [vandegeijn-watts-1997; hsumma-2014 §2.3]
#include <limits>

#include "algorithms/summa.hpp"
#include "base/arithmetic.hpp"
#include "planner/closed_form.hpp"

namespace cairn {

namespace {

// One grid and stationary matrix. `inner` is the dimension that panels cut; X's panels go along the columns of ranks,
// of which each holds `rows` of its other dimension, and Y's along the rows. With C stationary X = A, Y = B; else the
// panels of X are sent and those of C, here Y, are summed.
struct Shape {
  Int m, n, k, pr, pc;
  char stays;

  Pieces rows() const { return {stays == 'b' ? k : m, pr}; }  // of the matrix that stays
  Pieces cols() const { return {stays == 'a' ? k : n, pc}; }
  Int inner() const { return stays == 'a' ? n : stays == 'b' ? m : k; }

  // Along j travel panels of as many rows, along i of as many columns; which of them are terms of C.
  bool sums_along_j() const { return stays == 'a'; }
  bool sums_along_i() const { return stays == 'b'; }
};

// Words that the rank that receives most receives, by each collective's definition.
double received(const Shape& s) {
  const Pieces rows = s.rows(), cols = s.cols(), by_i{s.inner(), s.pr}, by_j{s.inner(), s.pc};
  Int most = 0;
  const auto consider = [&](Int i, Int j) {
    if (i >= s.pr || j >= s.pc || i < 0 || j < 0) return;
    const Int along_j = s.sums_along_j() ? by_j.at(j) * (s.pc - 1) : s.inner() - by_j.at(j);
    const Int along_i = s.sums_along_i() ? by_i.at(i) * (s.pr - 1) : s.inner() - by_i.at(i);
    most = std::max(most, rows.at(i) * along_j + cols.at(j) * along_i);
  };
  for (Int i : {Int{0}, rows.size % s.pr - 1, rows.size % s.pr, by_i.size % s.pr - 1, by_i.size % s.pr, s.pr - 1})
    for (Int j : {Int{0}, cols.size % s.pc - 1, cols.size % s.pc, by_j.size % s.pc - 1, by_j.size % s.pc, s.pc - 1})
      consider(i, j);
  return real(most);
}

}  // namespace

double summa_memory(const Sought& sought, const std::array<Int, 2>& grid, char stays, Int width) {
  const Shape s{sought.dims.m, sought.dims.n, sought.dims.k, grid[0], grid[1], stays};
  const double M = real(s.rows().longest()), N = real(s.cols().longest());
  const Pieces by_i{s.inner(), s.pr}, by_j{s.inner(), s.pc};
  return M * N + M * real(by_j.longest()) + N * real(by_i.longest()) +
         real(width) * ((s.pc > 1 ? M : 0) + (s.pr > 1 ? N : 0));
}

Int width_that_fits(const Sought& sought, const std::array<Int, 2>& grid, char stays) {
  constexpr Int most = std::numeric_limits<Int>::max();
  if (!sought.memory_words) return most;
  const double fixed = summa_memory(sought, grid, stays, 0), each = summa_memory(sought, grid, stays, 1) - fixed;
  if (each == 0) return most;
  return std::max<Int>(1, static_cast<Int>((real(*sought.memory_words) - fixed) / each));
}

std::optional<Shortened> shorten(const Sought& sought, const std::array<Int, 2>& grid, char stays, int look_ahead) {
  Shortened s{sought.dims, static_cast<Int>(summa_memory(sought, grid, stays, 0))};
  Int& inner = stays == 'a' ? s.dims.n : stays == 'b' ? s.dims.m : s.dims.k;
  const Int few = std::max(grid[0], grid[1]) * (2 * look_ahead + 1);
  if (inner <= few) return std::nullopt;
  inner = few;
  return s;
}

std::optional<Shortened> shorten_summa(const Sought& sought, const Candidate& c) {
  const auto& [pr, pc, b, stays, cyclic, x] = c.numbers;
  if (b != 1 || cyclic != 0) return std::nullopt;
  return shorten(sought, {pr, pc}, static_cast<char>(stays), c.look_ahead);
}

void add_summa(const Sought& sought, const std::array<Int, 2>& grid, char stays, Int b,
               std::vector<Candidate>& candidates) {
  const Shape s{sought.dims.m, sought.dims.n, sought.dims.k, grid[0], grid[1], stays};
  const Pieces rows = s.rows(), cols = s.cols();
  const Int inner = s.inner(), longest_run = inner / std::max(s.pr, s.pc) + 1;
  const Int width = std::min({b, inner, longest_run});
  const Int rounds = std::max<Int>({1, (inner + b - 1) / b, std::min(inner, std::max(s.pr, s.pc))});
  const double low_M = real(rows.shortest()), low_N = real(cols.shortest());
  const bool along_j = s.pc > 1, along_i = s.pr > 1;
  Candidate c;
  c.numbers = {s.pr, s.pc, b, s.stays};
  c.ranks = s.pr * s.pc;
  c.received = received(s);
  c.messages = real(rounds - 1) * ((along_j ? 1 - 1 / real(s.pc) : 0) + (along_i ? 1 - 1 / real(s.pr) : 0));
  const Pieces by_i{inner, s.pr}, by_j{inner, s.pc};
  c.memory = summa_memory(sought, grid, stays, width);
  LeastTime t;
  t.M = s.stays == 'b' ? inner : rows.longest();
  t.N = s.stays == 'a' ? inner : cols.longest();
  t.K = s.stays == 'a' ? cols.longest() : s.stays == 'b' ? rows.longest() : inner;
  t.cut = s.stays == 'a' ? 'n' : s.stays == 'b' ? 'm' : 'k';
  t.rounds = rounds;
  t.nearest = along_j ? 1 : s.pc;
  t.steps = real(rounds);
  t.words = (along_j && s.stays != 'a' ? low_M * real(inner - by_j.longest()) : 0) +
            (along_i && s.stays != 'b' ? low_N * real(inner - by_i.longest()) : 0);
  t.messages = c.messages;
  for (int depth : look_aheads(sought, rounds)) {
    c.look_ahead = depth;
    c.seconds = least_seconds(sought, t);
    candidates.push_back(c);
  }
}

std::vector<Candidate> candidates_summa(const Sought& sought) {
  std::vector<Candidate> candidates;
  const Dims& d = sought.dims;
  for (const std::array<Int, 2>& grid : grids_2d(sought))
    for (char stays : {'c', 'a', 'b'}) {
      const Int inner = stays == 'a' ? d.n : stays == 'b' ? d.m : d.k, q = std::max(grid[0], grid[1]);
      const Int piece = std::max<Int>(1, (inner + q - 1) / q);
      Int last = 0;
      for (Int parts : {1, 2, 4, 8}) {
        const Int b = (piece + parts - 1) / parts;
        if (b != last) add_summa(sought, grid, stays, b, candidates);
        last = b;
      }
      if (const Int b = width_that_fits(sought, grid, stays); b < last) add_summa(sought, grid, stays, b, candidates);
    }
  return candidates;
}

std::string spell_summa(const Candidate& c) {
  const auto& [pr, pc, b, stays, cyclic, held] = c.numbers;
  return print_summa({pr, pc, b, static_cast<char>(stays), cyclic != 0, held != 0});
}

}  // namespace cairn
