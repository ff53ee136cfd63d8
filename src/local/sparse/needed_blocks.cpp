#include "local/sparse/needed_blocks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/scalars.hpp"
#include "local/sparse/block_operations.hpp"
#include "local/sparse/product_filter.hpp"

namespace cairn {

namespace {

// A float that is no less; NaN counts as infinite, as no product with it is left out.
float rounded_up(double x) {
  constexpr float most = std::numeric_limits<float>::infinity();
  return std::isnan(x) ? most : std::nextafter(static_cast<float>(x), most);
}

// f(row, block, inner) for every block, by number of its row, and by its own.
template <class F>
void for_each_block(NeededBlocks::Side side, const BlockPattern& x, F f) {
  for (std::size_t r = 0; r < x.rows.size(); ++r)
    for (auto b = static_cast<std::size_t>(x.first[r]); b < static_cast<std::size_t>(x.first[r + 1]); ++b)
      f(r, b, side == NeededBlocks::Side::A ? x.cols[b] : x.rows[r]);
}

}  // namespace

NeededBlocks::NeededBlocks(Filter filter, std::vector<BlockIndex> numbers) : filter_(filter) {
  const std::size_t count = filter.eps > 0 ? numbers.size() / 2 : numbers.size();
  for (std::size_t b = 0; b < count; ++b)
    blocks_.push_back({numbers[b], filter.eps > 0 ? std::bit_cast<float>(numbers[count + b]) : 0});
}

std::vector<BlockIndex> NeededBlocks::numbers() const {
  std::vector<BlockIndex> all;
  for (const Block& b : blocks_) all.push_back(b.inner);
  if (filter_.eps > 0)
    for (const Block& b : blocks_) all.push_back(std::bit_cast<BlockIndex>(b.norm));
  return all;
}

template <class T>
double NeededBlocks::norm(Side side, const BlockPanel<T>& panel, std::size_t row, std::size_t block) const {
  if (!(filter_.eps > 0)) return 0;
  const double own = panel.norms[block];
  return side == Side::B ? own : filter_.alpha * own / limit_of_row(filter_.eps, panel.in_row[row]);
}

template <class T>
void NeededBlocks::meet(Side side, BlockPanel<T>& panel) {
  if (filter_.eps > 0) find_norms(panel);
  for_each_block(side, panel.blocks, [&](std::size_t r, std::size_t b, BlockIndex inner) {
    const float most = rounded_up(norm(side, panel, r, b));
    if (!blocks_.empty() && blocks_.back().inner == inner)
      blocks_.back().norm = std::max(blocks_.back().norm, most);
    else
      blocks_.push_back({inner, most});
  });
  std::sort(blocks_.begin(), blocks_.end(),
            [](Block a, Block b) { return a.inner != b.inner ? a.inner < b.inner : a.norm > b.norm; });
  blocks_.erase(std::unique(blocks_.begin(), blocks_.end(), [](Block a, Block b) { return a.inner == b.inner; }),
                blocks_.end());
}

bool NeededBlocks::needed(BlockIndex inner, double norm) const {
  const auto found = std::lower_bound(blocks_.begin(), blocks_.end(), inner,
                                      [](const Block& b, BlockIndex other) { return b.inner < other; });
  if (found == blocks_.end() || found->inner != inner) return false;
  return !(filter_.eps > 0 && double{found->norm} * norm < 1);  // nor if it is NaN
}

template <class T>
BlockPanel<T> NeededBlocks::of(Side side, BlockPanel<T>& panel) const {
  if (filter_.eps > 0) find_norms(panel);
  const BlockPattern& x = panel.blocks;
  BlockPanel<T> part;
  part.blocks = none_like(x);
  part.values = panel.values;
  for_each_block(side, x, [&](std::size_t r, std::size_t b, BlockIndex inner) {
    if (!needed(inner, norm(side, panel, r, b))) return;
    part.blocks.append(x.rows[r], x.cols[b], x.at[b]);
    if (part.in_row.size() < part.blocks.rows.size() && !panel.in_row.empty()) part.in_row.push_back(panel.in_row[r]);
    part.words += x.height(x.rows[r]) * x.width(x.cols[b]);
  });
  part.index = index_of(part);
  return part;
}

#define CAIRN_INSTANTIATE(T)                                            \
  template void NeededBlocks::meet(NeededBlocks::Side, BlockPanel<T>&); \
  template BlockPanel<T> NeededBlocks::of(NeededBlocks::Side, BlockPanel<T>&) const;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
