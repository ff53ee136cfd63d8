// How many of a matrix's elements there are. Interpreters ask Schedule::words, which asks this.
#pragma once
#include "cairn/types.hpp"

namespace cairn {

/// Of a dense matrix there are all elements, and no provider is needed. Of a block-sparse one there are those that are
/// expected from a density, while it is planned, or those of its pattern. What is copied, gathered or summed from a
/// value keeps the value's provider.
class SizeProvider {
 public:
  virtual ~SizeProvider() = default;
  /// Words of rows × columns of the matrix.
  virtual Int words(const IndexSet& rows, const IndexSet& cols) const = 0;
};

}  // namespace cairn
