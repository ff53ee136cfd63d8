// Values of blocks in large pages: products read blocks in an order in which each may lie on another page.
#pragma once
#include <algorithm>

#include "cairn/blocks.hpp"

namespace cairn {

/// Asks for large pages for memory that nobody has written to yet. What is too small for them stays as it is.
void prefer_large_pages(void* memory, std::size_t bytes);

/// Room for so many elements, in large pages if it is taken now.
template <class T>
void reserve(BlockValues<T>& x, std::size_t count) {
  if (count <= x.capacity()) return;
  BlockValues<T> larger;
  larger.reserve(count);
  prefer_large_pages(larger.data(), count * sizeof(T));
  larger.resize(x.size());
  std::copy(x.begin(), x.end(), larger.begin());
  x = std::move(larger);
}

/// As the vector's own, which doubles what it holds where there is no room. New elements are not set.
template <class T>
void resize(BlockValues<T>& x, std::size_t count) {
  if (count > x.capacity()) reserve(x, std::max(count, 2 * x.size()));
  x.resize(count);
}

/// Puts elements after all others.
template <class T>
void append(BlockValues<T>& x, const T* from, Int count) {
  const std::size_t end = x.size();
  resize(x, end + static_cast<std::size_t>(count));
  std::copy_n(from, count, x.data() + end);
}

/// One more block after all others, with a copy of these values: in the last row, or in one after that.
template <class T>
void append(Blocks<T>& x, BlockIndex row, BlockIndex col, const T* block) {
  x.append(row, col, static_cast<Int>(x.values.size()));
  append(x.values, block, x.height(row) * x.width(col));
}

}  // namespace cairn
