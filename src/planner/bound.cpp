// The least time of a candidate.
#include <algorithm>

#include "base/arithmetic.hpp"
#include "planner/candidate.hpp"

namespace cairn {

// Words pass one of a rank's ports at the rate of the nearest level. Those before the last product may travel beside
// all others.
double least_seconds(const Sought& s, const Outline& o) {
  const Machine::Level& level = s.machine.levels[s.machine.level_of(2)];
  const double bytes = real(size_of(s.type));
  const double messages = std::max(0.0, o.messages - 2);  // at the first and the last round nothing is certain
  const auto passing = [&](double words) { return std::max(0.0, words) * bytes * level.seconds_per_byte; };
  const auto arriving = [&](double words) { return words <= 0 ? 0 : level.latency_seconds + passing(words); };
  const auto [M, N, K] = o.product;
  const Int size = o.loop == 'm' ? M : o.loop == 'n' ? N : K;
  const Int rounds = o.loop == 0 ? 1 : std::clamp<Int>(o.busy, 1, std::max<Int>(1, size));
  const Int each = size / rounds, longer = size % rounds;
  const auto product = [&, m = M, n = N, k = K](Int part) {
    return s.machine.gemm_seconds(o.loop == 'm' ? part : m, o.loop == 'n' ? part : n,
                                  o.loop == 'k' || o.loop == 0 ? part : k, s.type);
  };
  const double compute =
      real(longer) * product(each + 1) + real(rounds - longer) * product(each) + real(o.busy) * s.machine.step_seconds;
  const double gaps = o.before_last > 0 ? messages * level.gap_seconds : 0;
  const double together = std::max(arriving(o.before_first) + compute, arriving(o.before_last) + gaps);
  return std::max(together + arriving(o.after_last), passing(o.before_last + o.beside) + gaps);
}

}  // namespace cairn
