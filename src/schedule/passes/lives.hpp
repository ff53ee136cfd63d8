// Places in one piece of memory for values that live from one step to another.
#pragma once
#include <cstddef>
#include <vector>

#include "cairn/types.hpp"

namespace cairn {

struct Life {
  std::size_t first, last;  ///< steps, inclusive
  Int words;
  Int* offset;  ///< set by place()
};

/// Gives every value a place that none alive at the same time overlaps; returns the words of memory needed in all.
Int place(const std::vector<Life>& lives);

}  // namespace cairn
