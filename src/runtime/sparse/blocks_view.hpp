// Blocks that belong to somebody else.
#pragma once
#include "cairn/blocks.hpp"

namespace cairn {

template <class T>
struct BlocksView {
  const BlockPattern& pattern;
  const T* values;

  BlocksView(const BlockPattern& blocks, const T* their_values) : pattern(blocks), values(their_values) {}
  BlocksView(const Blocks<T>& x) : BlocksView(x, x.values.data()) {}

  const T* block(Int b) const { return values + pattern.at[static_cast<std::size_t>(b)]; }
};

}  // namespace cairn
