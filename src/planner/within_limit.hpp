// A limit of memory changes nothing where the best plan without one keeps it.
#pragma once
#include "cairn/options.hpp"

namespace cairn {

/// choose(options) with a limit of memory, if there is one, only where what is chosen without it does not fit.
template <class Choose, class Fits>
auto within_limit(const Options& options, Choose choose, Fits fits) {
  if (!options.memory_words) return choose(options);
  Options without = options;
  without.memory_words.reset();
  auto best = choose(without);
  if (!fits(best)) return choose(options);
  best->options = options;
  return best;
}

}  // namespace cairn
