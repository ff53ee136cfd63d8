// The largest of numbers over ranks.
#pragma once
#include <span>

#include "cairn/types.hpp"

namespace cairn {

class Comm;

/// Each of `values` becomes the largest of its values on all ranks. Collective, one reduction.
void largest(const Comm& comm, std::span<Int> values);

}  // namespace cairn
