// Counts of all ranks at once. What a step brings is a product of numbers that each depend on one axis: rows on one,
// columns on another, the root on its own. Sums of such products are kept apart by axis, and only looked at together at
// the end.
#pragma once
#include <optional>

#include "interpret/count.hpp"

namespace cairn {

/// Exactly what count finds rank by rank, in a time that hardly grows with ranks; nothing if a step is not such a
/// product (block-cyclic pieces that do not come out even along two axes, redistributions, skews).
std::optional<Totals> count_separably(const Schedule& collective, const Schedule& wire);

}  // namespace cairn
