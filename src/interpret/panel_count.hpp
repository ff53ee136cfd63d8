// Words, messages, flops and time of a block-sparse product, for sizes of panels that are known or expected.
#pragma once
#include "interpret/clock.hpp"
#include "interpret/panel_flow.hpp"
#include "model/transport.hpp"

namespace cairn {

/// What one rank does.
struct PanelCount {
  std::array<Int, 3> received{};  ///< words of panels of A and B, and of sums of C
  Int numbers = 0;                ///< of 32 bits, that say which blocks came
  Int messages = 0;               ///< panels that came
  double flops = 0;               ///< as expected: 2 for each product of two elements
  Int words() const { return received[0] + received[1] + received[2]; }
};

/// Of all ranks.
std::vector<PanelCount> count_panels(const PanelFlow& flow);

/// Seconds of all ranks. Panels travel while others are multiplied, as early as the schedule says; a port carries one
/// message at a time in each direction; sums are waited for one after another. One-sided, panels that lie in the
/// caller's A and B are fetched, and cost their owners nothing. docs/block_sparse.md
Timing clock_panels(const PanelFlow& flow, double seconds_per_flop, const Machine& machine, ScalarType type,
                    Transport transport, const Watch& watch = {});

}  // namespace cairn
