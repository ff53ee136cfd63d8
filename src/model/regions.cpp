// Distributions of blocks by places in space.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cairn/blocks.hpp"
#include "cairn/error.hpp"
#include "model/hilbert.hpp"

namespace cairn {

namespace {

// Numbers of places in the order of Hilbert's curve through a cube that holds them all; of places in the same cell, the
// lower number first.
std::vector<std::size_t> along_curve(const std::vector<std::array<double, 3>>& places) {
  std::array<double, 3> low{}, high{};
  for (std::size_t p = 0; p < places.size(); ++p)
    for (std::size_t d = 0; d < 3; ++d) {
      const double x = places[p][d];
      if (!std::isfinite(x)) throw ArgumentError(fmt::format("places: {} at number {}, expected finite ones", x, p));
      low[d] = p == 0 ? x : std::min(low[d], x), high[d] = p == 0 ? x : std::max(high[d], x);
    }
  const double side = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  constexpr int bits = 20;
  constexpr double cells = (1 << bits) - 1;
  std::vector<std::pair<std::uint64_t, std::size_t>> all;
  for (std::size_t p = 0; p < places.size(); ++p) {
    std::array<std::uint32_t, 3> cell{};
    for (std::size_t d = 0; d < 3 && side > 0; ++d)
      cell[d] = static_cast<std::uint32_t>((places[p][d] - low[d]) / side * cells);
    all.emplace_back(hilbert_number(cell, bits), p);
  }
  std::sort(all.begin(), all.end());
  std::vector<std::size_t> order;
  for (const auto& [number, p] : all) order.push_back(p);
  return order;
}

}  // namespace

// Pieces of the curve are the panels of the inner dimension of a product.
BlockDistribution BlockDistribution::by_region(const std::vector<std::array<double, 3>>& places, Int pr, Int pc) {
  const Int count = static_cast<Int>(places.size());
  BlockDistribution where = dealt(0, 0, pr, pc);
  const std::vector<std::size_t> order = along_curve(places);
  where.row.resize(order.size()), where.col.resize(order.size());
  const Int V = std::lcm(pr, pc);
  for (std::size_t q = 0; q < order.size(); ++q) {
    const Int piece = static_cast<Int>(q) * V / count;
    where.row[order[q]] = static_cast<BlockIndex>(piece * pr / V);
    where.col[order[q]] = static_cast<BlockIndex>(piece * pc / V);
  }
  return where;
}

BlockDistribution BlockDistribution::by_region(const std::vector<std::array<double, 3>>& places, Int ranks) {
  const BlockDistribution grid = dealt(0, 0, ranks);
  return by_region(places, grid.pr, grid.pc);
}

}  // namespace cairn
