// What all ranks together did, at the end.
#pragma once
#include <algorithm>

#include "interpret/cells.hpp"
#include "interpret/clock.hpp"
#include "interpret/clock_state.hpp"

namespace cairn {

/// `times(i)` of `count` ranks or cells, each of which stands for `weight(i)` ranks; what they waited follows from the
/// rest.
template <class TimesOf, class Weight>
Timing totals(std::size_t count, TimesOf times, Weight weight) {
  const auto waited = [](const Times& t) {
    constexpr double rounding = 1e-12;
    const double rest = t.seconds - t.computation - t.steps;
    return rest > rounding * t.seconds ? rest : 0;
  };
  Timing all;
  for (std::size_t i = 0; i < count; ++i) {
    const Times t = times(i);
    if (i == 0 || t.seconds > all.last.seconds) all.last = t;
  }
  all.last.exposed = waited(all.last);
  const auto spread = [&](auto value) {
    Spread s;
    double ranks = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double x = value(times(i)), w = static_cast<double>(weight(i));
      s.min = i == 0 ? x : std::min(s.min, x), s.max = i == 0 ? x : std::max(s.max, x);
      s.mean += x * w;
      ranks += w;
    }
    s.mean /= ranks;
    return s;
  };
  all.finish = spread([](const Times& t) { return t.seconds; });
  all.computation = spread([](const Times& t) { return t.computation; });
  all.communication = spread([](const Times& t) { return t.communication; });
  all.steps = spread([](const Times& t) { return t.steps; });
  all.exposed = spread(waited);
  all.idle = spread([&](const Times& t) { return all.last.seconds - t.seconds; });
  return all;
}

Timing totals(const Lanes& lanes, const Cells& cells);

}  // namespace cairn
