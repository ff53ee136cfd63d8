// The order of plans by what is preferred.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "planner/plan_data.hpp"

namespace cairn {

/// By words, those with the fewest come first, and by time the fastest; balanced, the fewest words come first among
/// those that take at most `precision` times longer than the fastest. Of equals the first stays first.
template <class Plan, class Words, class Seconds>
void best_first(std::vector<Plan>& plans, Prefer prefer, double precision, Words words, Seconds seconds) {
  std::stable_sort(plans.begin(), plans.end(), [&](const Plan& a, const Plan& b) {
    if (prefer == Prefer::words && words(a) != words(b)) return words(a) < words(b);
    return seconds(a) < seconds(b);
  });
  if (prefer != Prefer::balanced) return;
  const double as_fast = seconds(plans.front()) * (1 + precision);
  const auto slower =
      std::stable_partition(plans.begin(), plans.end(), [&](const Plan& p) { return seconds(p) <= as_fast; });
  std::stable_sort(plans.begin(), slower, [&](const Plan& a, const Plan& b) { return words(a) < words(b); });
}

}  // namespace cairn
