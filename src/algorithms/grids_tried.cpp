#include "algorithms/grids_tried.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/arithmetic.hpp"

namespace cairn {

namespace {

// Numbers up to `most` of which not every one can be looked at: the small ones, the divisors, and steps of a tenth.
std::vector<Int> numbers(Int most) {
  constexpr Int all = 64;
  std::set<Int> found;
  for (Int x = 1; x <= std::min(all, most); ++x) found.insert({x, most / x});
  for (Int x = all; x <= most; x += std::max<Int>(1, x / 10)) found.insert(x);
  for (Int x = 1; x <= most / x; ++x)
    if (most % x == 0) found.insert({x, most / x});
  return {found.begin(), found.end()};
}

template <class Grid>
std::vector<Grid> sorted(std::vector<Grid> grids) {
  std::sort(grids.begin(), grids.end());
  grids.erase(std::unique(grids.begin(), grids.end()), grids.end());
  return grids;
}

}  // namespace

std::vector<std::array<Int, 2>> grids_2d(const Sought& s) {
  std::vector<std::array<Int, 2>> grids;
  for (Int p = s.ranks; p >= s.fewest; p /= 2)
    for (Int pr : numbers(p))
      if (pr * (p / pr) >= s.fewest) grids.push_back({pr, p / pr});
  return sorted(std::move(grids));
}

std::vector<std::array<Int, 3>> grids_3d(const Sought& s) {
  std::vector<std::array<Int, 3>> grids;
  for (Int p = s.ranks; p >= s.fewest; p /= 2)
    for (Int pm : numbers(p))
      for (Int pn : numbers(p / pm))
        if (pm * pn * (p / pm / pn) >= s.fewest) grids.push_back({pm, pn, p / pm / pn});
  return sorted(std::move(grids));
}

std::vector<std::array<Int, 2>> groups(Int pr, Int pc) {
  std::vector<std::array<Int, 2>> all;
  for (Int gr = 1; gr <= pr; ++gr)
    for (Int gc = 1; pr % gr == 0 && gc <= pc; ++gc)
      if (pc % gc == 0 && gr * gc > 1 && gr * gc < pr * pc) all.push_back({gr, gc});
  if (all.empty()) return {{1, 1}};  // of one rank each, or all of them
  const auto far = [&](const std::array<Int, 2>& g) {
    const double count = std::abs(std::log(real(g[0] * g[1])) - std::log(real(pr * pc)) / 2);
    return count + std::abs(std::log(real(g[0] * pc)) - std::log(real(g[1] * pr))) / 16;
  };
  std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return far(a) < far(b); });
  all.resize(std::min<std::size_t>(2, all.size()));
  return all;
}

std::vector<Int> widths(Int piece, Int most, Int fits) {
  std::vector<Int> all;
  for (Int parts = 1; parts <= most; parts *= 2)
    if (const Int b = ceil_div(piece, parts); all.empty() || b != all.back()) all.push_back(b);
  if (fits < all.back()) all.push_back(fits);
  return all;
}

}  // namespace cairn
