// The largest of numbers over ranks.
#pragma once
#include <span>

#include "cairn/types.hpp"

namespace cairn {

class Comm;

/// Each of `values` becomes the largest of its values on all ranks. Collective, one reduction.
void largest(const Comm& comm, std::span<Int> values);
void largest(const Comm& comm, std::span<double> values);
/// Of one number.
template <class T>
T largest_of(const Comm& comm, T value) {
  largest(comm, std::span<T>(&value, 1));
  return value;
}

}  // namespace cairn
