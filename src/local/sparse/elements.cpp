#include "local/sparse/elements.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"
#include "base/scalars.hpp"

namespace cairn {

BlockBounds::BlockBounds(const BlockSizes& sizes) : before_(bounds_of(sizes)) {}

BlockBounds::Place BlockBounds::operator[](Int element) const {
  const auto after = std::upper_bound(before_.begin(), before_.end(), element);
  return {static_cast<BlockIndex>(after - before_.begin() - 1), element - *(after - 1)};
}

template <class T>
GatheredBlocks<T>::GatheredBlocks(const Blocks<T>& none, const BlockDistribution& where)
    : where_(where), rows_(*none.row_sizes), cols_(*none.col_sizes), blocks_(none) {}

template <class T>
void GatheredBlocks<T>::add(const std::vector<Element<T>>& elements) {
  for (const Element<T>& e : elements) {
    const auto [i, r] = rows_[e.row];
    const auto [j, c] = cols_[e.col];
    const Int height = blocks_.height(i), end = static_cast<Int>(blocks_.values.size());
    const auto key = static_cast<std::uint64_t>(i) << 32 | static_cast<std::uint64_t>(j);
    const auto [place, is_new] = at_.try_emplace(key, end);
    if (is_new) blocks_.values.resize(static_cast<std::size_t>(end + height * blocks_.width(j)), T(0));
    blocks_.values[static_cast<std::size_t>(place->second + r + c * height)] += e.value;
  }
}

template <class T>
Blocks<T> GatheredBlocks<T>::take() {
  std::vector<std::pair<std::uint64_t, Int>> sorted(at_.begin(), at_.end());
  at_.clear();
  std::sort(sorted.begin(), sorted.end());
  for (const auto& [key, at] : sorted)
    blocks_.append(static_cast<BlockIndex>(key >> 32), static_cast<BlockIndex>(key & 0xffffffffU), at);
  return std::move(blocks_);
}

#define CAIRN_INSTANTIATE(T) template class GatheredBlocks<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
