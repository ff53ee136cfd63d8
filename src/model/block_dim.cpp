#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/arithmetic.hpp"
#include "cairn/block_problem.hpp"

namespace cairn {

BlockDim BlockDim::of(std::span<const BlockIndex> sizes) {
  BlockDim d{.blocks = std::ssize(sizes), .size = 0};
  if (d.blocks == 0) return d;
  const Int total = std::accumulate(sizes.begin(), sizes.end(), Int{0});
  d.size = std::max<Int>(total > 0, std::llround(real(total) / real(d.blocks)));
  if (!std::ranges::all_of(sizes, [&](BlockIndex x) { return x == d.size; })) d.total = total;
  return d;
}

}  // namespace cairn
