#include "planner/closed_form.hpp"

#include <cmath>
#include <set>

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

}  // namespace

std::vector<std::array<Int, 2>> grids_2d(const Sought& s) {
  std::vector<std::array<Int, 2>> grids;
  for (Int p = s.ranks; p >= s.fewest; p /= 2)
    for (Int pr : numbers(p))
      if (pr * (p / pr) >= s.fewest) grids.push_back({pr, p / pr});
  std::sort(grids.begin(), grids.end());
  grids.erase(std::unique(grids.begin(), grids.end()), grids.end());
  return grids;
}

std::vector<std::array<Int, 3>> grids_3d(const Sought& s) {
  std::vector<std::array<Int, 3>> grids;
  for (Int p = s.ranks; p >= s.fewest; p /= 2)
    for (Int pm : numbers(p))
      for (Int pn : numbers(p / pm))
        if (pm * pn * (p / pm / pn) >= s.fewest) grids.push_back({pm, pn, p / pm / pn});
  std::sort(grids.begin(), grids.end());
  grids.erase(std::unique(grids.begin(), grids.end()), grids.end());
  return grids;
}

std::vector<int> look_aheads(const Sought& s, Int rounds) {
  if (s.look_ahead) return {*s.look_ahead};
  if (rounds == 1) return {0};
  if (s.memory_words) return {1, 0};  // none needs the least memory
  return {1};
}

double least_seconds(const Sought& s, const LeastTime& t) {
  const Machine::Level& level = s.machine.levels[s.machine.level_of(t.nearest + 1)];
  const auto bytes = static_cast<double>(size_of(s.type));
  const auto passing = [&](double words, double messages) {
    if (words <= 0) return 0.0;
    return words * bytes * level.seconds_per_byte + messages * level.gap_seconds;
  };
  const auto arriving = [&](double words, double messages) {
    return words <= 0 ? 0 : level.latency_seconds + passing(words, messages);
  };
  const Int size = t.cut == 'm' ? t.M : t.cut == 'n' ? t.N : t.K;
  const Int each = size / t.rounds, longer = size % t.rounds;
  const auto product = [&](Int part) {
    return s.machine.gemm_seconds(t.cut == 'm' ? part : t.M, t.cut == 'n' ? part : t.N, t.cut == 'k' ? part : t.K,
                                  s.type);
  };
  const double compute = static_cast<double>(longer) * product(each + 1) +
                         static_cast<double>(t.rounds - longer) * product(each) + t.steps * s.machine.step_seconds;
  const double computing = arriving(t.first_words, t.first_messages) + compute;
  const double passed = arriving(t.words, t.messages) + t.last_share * compute;
  const double together = std::max(computing, passed) + arriving(t.last_words, t.last_messages);
  return std::max(together, passing(t.words + t.copied, t.messages));
}

}  // namespace cairn
