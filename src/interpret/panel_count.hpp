// Words, messages, flops and time of a block-sparse product, for sizes of panels that are known or expected.
#pragma once
#include "cairn/block_plan.hpp"
#include "interpret/clock.hpp"
#include "interpret/panel_flow.hpp"
#include "model/transport.hpp"

namespace cairn {

/// Of all ranks, without what they hold.
std::vector<BlockCount> count_panels(const PanelFlow& flow);

/// Seconds of all ranks. Panels travel while others are multiplied, as early as the schedule says; a port carries one
/// message at a time in each direction; sums are waited for one after another. One-sided, panels that lie in the
/// caller's A and B are fetched, and cost their owners nothing. docs/block_sparse.md
Timing clock_panels(const PanelFlow& flow, double seconds_per_flop, const Machine& machine, ScalarType type,
                    Transport transport, const Watch& watch = {});

}  // namespace cairn
