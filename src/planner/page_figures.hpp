// Figures of a plan that its page shows.
#pragma once
#include <string>

#include "cairn/types.hpp"

namespace cairn {

/// The best way of an algorithm that was not chosen.
struct RunnerUp {
  std::string algorithm;  ///< one-line spelling; the name alone if nothing fits
  double seconds = 0;
  double received = 0, messages = 0;  ///< of the rank with the most
  bool exact = false;  ///< clocked and counted, of many ranks those at corners; otherwise lower bounds in closed form
  std::string why;     ///< why it was not chosen
  bool sketched = false;  ///< figures are those of sketches, which know no messages
  bool about = false;     ///< the time is no bound, but an estimate
  bool fits = true;       ///< into the memory; otherwise it has no figures
  double held = 0;        ///< words of memory, of the rank with the most
};

/// Words that come from other nodes: the most of any rank, and the mean.
struct NodeWords {
  Int max = 0;
  double mean = 0;
};

}  // namespace cairn
