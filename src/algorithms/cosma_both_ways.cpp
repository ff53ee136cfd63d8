// Shares of a panel that more ranks need than it has rows and columns.
#include <functional>
#include <numeric>

#include "algorithms/cosma.hpp"
#include "base/arithmetic.hpp"

namespace cairn {

namespace {

// What the first rank receives when the axes from `axis` on share rows × cols sums, and which of them cut columns.
Int share(Int rows, Int cols, const std::vector<Int>& sharers, std::size_t axis, bool by_columns,
          std::vector<bool>& columns) {
  if (axis == sharers.size()) return 0;
  const Int q = sharers[axis];
  const auto with = [&](bool cut_columns, std::vector<bool>& chosen) {
    const Int r = cut_columns ? rows : ceil_div(rows, q), c = cut_columns ? ceil_div(cols, q) : cols;
    chosen[axis] = cut_columns;
    return (q - 1) * r * c + share(r, c, sharers, axis + 1, by_columns, chosen);
  };
  std::vector<bool> other = columns;
  const Int words = with(by_columns, columns), others = with(!by_columns, other);
  if (others < words) columns = other;
  return std::min(words, others);
}

}  // namespace

std::vector<bool> cut_by_columns(Int rows, Int cols, bool by_columns, const std::vector<Int>& sharers) {
  std::vector<bool> columns(sharers.size(), by_columns);
  const Int all = std::accumulate(sharers.begin(), sharers.end(), Int{1}, std::multiplies<>());
  if (sharers.size() > 1 && all > std::max(rows, cols)) share(rows, cols, sharers, 0, by_columns, columns);
  return columns;
}

}  // namespace cairn
