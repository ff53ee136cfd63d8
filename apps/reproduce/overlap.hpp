// What the figures of Georganas et al., 2012, have in common: Hopper, one rank on the six cores of a NUMA domain, four
// algorithms of each kind.
#pragma once
#include "reproduction.hpp"

namespace cairn::app {

constexpr Int layers = 4;  // the best of the paper in these cases
constexpr Int cores_per_rank = 6;
constexpr double peak = 6 * 8.4e9;

struct Variant {
  const char* name;
  bool replicated;
  int look_ahead;
};
constexpr Variant variants[] = {
    {"2D", false, 0}, {"2D overlapped", false, 1}, {"2.5D", true, 0}, {"2.5D overlapped", true, 1}};

}  // namespace cairn::app
