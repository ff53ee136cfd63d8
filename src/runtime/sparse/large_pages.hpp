// Values of blocks in large pages: products read blocks in an order in which each may lie on another page.
#pragma once
#include <algorithm>
#include <vector>

#include "cairn/types.hpp"

namespace cairn {

/// Asks for large pages for memory that nobody has written to yet. What is too small for them stays as it is.
void prefer_large_pages(void* memory, std::size_t bytes);

/// Room for so many elements, in large pages if it is taken now.
template <class T>
void reserve(std::vector<T>& x, std::size_t count) {
  if (count <= x.capacity()) return;
  std::vector<T> larger;
  larger.reserve(count);
  prefer_large_pages(larger.data(), count * sizeof(T));
  larger.assign(x.begin(), x.end());
  x = std::move(larger);
}

/// As the vector's own, which doubles what it holds where there is no room.
template <class T>
void resize(std::vector<T>& x, std::size_t count) {
  if (count > x.capacity()) reserve(x, std::max(count, 2 * x.size()));
  x.resize(count);
}

}  // namespace cairn
