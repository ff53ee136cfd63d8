// Distributions of blocks by places in space.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "cairn/blocks.hpp"
#include "cairn/error.hpp"
#include "model/hilbert.hpp"

namespace cairn {

namespace {

using Places = std::vector<std::array<double, 3>>;
using Numbers = std::vector<std::size_t>;  // of places, in some order

// The least box that holds them all.
struct Box {
  explicit Box(const Places& places) {
    for (std::size_t p = 0; p < places.size(); ++p)
      for (std::size_t d = 0; d < 3; ++d) {
        const double x = places[p][d];
        if (!std::isfinite(x)) throw ArgumentError(fmt::format("places: {} at number {}, expected finite ones", x, p));
        low[d] = p == 0 ? x : std::min(low[d], x), high[d] = p == 0 ? x : std::max(high[d], x);
      }
  }
  double side(std::size_t d) const { return high[d] - low[d]; }
  std::array<double, 3> low{}, high{};
};

// Along Hilbert's curve through a cube that holds them all; of places in the same cell, the lower number first.
Numbers along_curve(const Places& places) {
  const Box box(places);
  const double side = std::max({box.side(0), box.side(1), box.side(2)});
  constexpr int bits = 20;
  constexpr double cells = (1 << bits) - 1;
  std::vector<std::pair<std::uint64_t, std::size_t>> all;
  for (std::size_t p = 0; p < places.size(); ++p) {
    std::array<std::uint32_t, 3> cell{};
    for (std::size_t d = 0; d < 3 && side > 0; ++d)
      cell[d] = static_cast<std::uint32_t>((places[p][d] - box.low[d]) / side * cells);
    all.emplace_back(hilbert_number(cell, bits), p);
  }
  std::sort(all.begin(), all.end());
  Numbers order;
  for (const auto& [number, p] : all) order.push_back(p);
  return order;
}

// Along an axis; of places in the same plane, along the others in turn, then the lower number first.
Numbers along_axes(const Places& places, const std::array<std::size_t, 3>& axes) {
  Numbers order(places.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](std::size_t p) {
    const std::array<double, 3>& x = places[p];
    return std::tuple(x[axes[0]], x[axes[1]], x[axes[2]], p);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t p, std::size_t q) { return key(p) < key(q); });
  return order;
}

// Of as many places each, as they follow one another.
std::vector<BlockIndex> in_parts(const Numbers& order, Int parts) {
  const Int count = static_cast<Int>(order.size());
  std::vector<BlockIndex> part(order.size());
  for (std::size_t q = 0; q < order.size(); ++q)
    part[order[q]] = static_cast<BlockIndex>(static_cast<Int>(q) * parts / count);
  return part;
}

}  // namespace

// Slabs of rows and of columns cross: near places are together in as many pairs of them on every rank.
BlockDistribution BlockDistribution::by_region(const std::vector<std::array<double, 3>>& places, Int pr, Int pc) {
  BlockDistribution where = dealt(0, 0, pr, pc);
  if (pr == 1 || pc == 1) {
    const Numbers order = along_curve(places);
    where.row = in_parts(order, pr), where.col = in_parts(order, pc);
    return where;
  }
  const Box box(places);
  std::array<std::size_t, 3> axes{0, 1, 2};
  std::stable_sort(axes.begin(), axes.end(), [&](std::size_t d, std::size_t e) { return box.side(d) > box.side(e); });
  if (pr < pc) std::swap(axes[0], axes[1]);  // the longest axis is cut into the most slabs
  where.row = in_parts(along_axes(places, {axes[0], axes[2], axes[1]}), pr);
  where.col = in_parts(along_axes(places, {axes[1], axes[2], axes[0]}), pc);
  return where;
}

BlockDistribution BlockDistribution::by_region(const std::vector<std::array<double, 3>>& places, Int ranks) {
  const BlockDistribution grid = dealt(0, 0, ranks);
  return by_region(places, grid.pr, grid.pc);
}

}  // namespace cairn
