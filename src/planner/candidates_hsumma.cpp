// HSUMMA's grids, groups and panels.  [hsumma-2014 §4]
#include <cmath>

#include "algorithms/hsumma.hpp"
#include "base/arithmetic.hpp"
#include "planner/closed_form.hpp"

namespace cairn {

namespace {

std::vector<Int> divisors(Int x) {
  std::vector<Int> all;
  for (Int d = 1; d <= x; ++d)
    if (x % d == 0) all.push_back(d);
  return all;
}

// Groups I × J of the grid, those nearest to √p groups first: there the paper's model has its minimum, whatever the
// machine (§4.2, Equations 10-12). All groups receive alike; how they differ in time only the clock knows.
using Groups = std::vector<std::array<Int, 2>>;
Groups groups(Int pr, Int pc) {
  Groups all;
  const std::vector<Int> cols = divisors(pc);
  for (Int gr : divisors(pr))
    for (Int gc : cols)
      if (gr * gc > 1 && gr * gc < pr * pc) all.push_back({gr, gc});
  if (all.empty()) all.push_back({1, 1});  // which is SUMMA
  const auto distance = [&](const std::array<Int, 2>& g) {
    const double count = std::abs(std::log(real(g[0] * g[1])) - std::log(real(pr * pc)) / 2);
    return count + std::abs(std::log(real(g[0] * pc)) - std::log(real(g[1] * pr))) / 16;
  };
  std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  constexpr std::size_t tried = 2;
  if (all.size() > tried) all.resize(tried);
  return all;
}

void add(const Sought& sought, const std::array<Int, 2>& grid, const Groups& groups, Int M, Int b,
         std::vector<Candidate>& candidates) {
  std::vector<Candidate> plain;
  add_summa(sought, grid, 'c', b, plain);
  for (const auto& [gr, gc] : groups)
    for (Candidate c : plain) {
      c.numbers = {grid[0], grid[1], gr, gc, M, b};
      candidates.push_back(c);
    }
}

}  // namespace

std::vector<Candidate> candidates_hsumma(const Sought& sought) {
  std::vector<Candidate> candidates;
  for (const auto& grid : grids_2d(sought)) {
    const Groups all = groups(grid[0], grid[1]);
    const Int q = std::max(grid[0], grid[1]), piece = std::max<Int>(1, (sought.dims.k + q - 1) / q);
    Int last = 0;
    for (Int parts : {1, 2, 4}) {
      const Int b = (piece + parts - 1) / parts;
      if (b != last) add(sought, grid, all, piece, b, candidates);
      last = b;
    }
    if (const Int b = width_that_fits(sought, grid, 'c') / 2; b < last)  // outer and inner panels at once
      add(sought, grid, all, std::max<Int>(1, b), std::max<Int>(1, b), candidates);
  }
  return candidates;
}

std::optional<Shortened> shorten_hsumma(const Sought& sought, const Candidate& c) {
  const auto& [pr, pc, gr, gc, M, b] = c.numbers;
  return M == 1 ? shorten(sought, {pr, pc}, 'c', c.look_ahead) : std::nullopt;
}

std::string spell_hsumma(const Candidate& c) {
  const auto& [pr, pc, gr, gc, M, b] = c.numbers;
  return print_hsumma({pr, pc, gr, gc, M, b});
}

}  // namespace cairn
