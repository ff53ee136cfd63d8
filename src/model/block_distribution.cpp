#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "cairn/blocks.hpp"
#include "cairn/error.hpp"
#include "model/dealt_blocks.hpp"

namespace cairn {

namespace {

// Numbers 0 … count - 1 in an order that depends on nothing but their count.
std::vector<std::size_t> shuffled(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(count);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

// Block number q in that order belongs to panel q modulo V of the inner dimension of a product.
Int part_of(Int q, Int parts, Int V) { return q % V * parts / V; }

void require(const char* name, Int number, Int least) {
  constexpr Int most = std::numeric_limits<BlockIndex>::max();
  if (number < least || number > most)
    throw ArgumentError(fmt::format("{}: {}, expected {} to {}", name, number, least, most));
}

std::vector<BlockIndex> deal(Int blocks, Int parts, Int V) {
  std::vector<BlockIndex> to(static_cast<std::size_t>(blocks));
  const std::vector<std::size_t> order = shuffled(to.size());
  for (std::size_t q = 0; q < to.size(); ++q)
    to[order[q]] = static_cast<BlockIndex>(part_of(static_cast<Int>(q), parts, V));
  return to;
}

}  // namespace

std::vector<Int> dealt_blocks(Int blocks, Int parts, Int V) {
  std::vector<Int> counts(static_cast<std::size_t>(parts));
  for (Int panel = 0; panel < V; ++panel)
    counts[static_cast<std::size_t>(part_of(panel, parts, V))] += blocks / V + (panel < blocks % V ? 1 : 0);
  return counts;
}

const char* name_of(Symmetry symmetry) {
  switch (symmetry) {
    case Symmetry::symmetric: return "symmetric";
    case Symmetry::antisymmetric: return "antisymmetric";
    case Symmetry::hermitian: return "Hermitian";
    default: return "general";
  }
}

BlockDistribution BlockDistribution::dealt(Int block_rows, Int block_cols, Int pr, Int pc) {
  require("block_rows", block_rows, 0), require("block_cols", block_cols, 0);
  require("pr", pr, 1), require("pc", pc, 1);
  const Int V = std::lcm(pr, pc);
  return {pr, pc, deal(block_rows, pr, V), deal(block_cols, pc, V)};
}

BlockDistribution BlockDistribution::dealt(Int block_rows, Int block_cols, Int ranks) {
  require("ranks", ranks, 1);
  const auto [pr, pc] = squarest_grid(ranks);
  return dealt(block_rows, block_cols, pr, pc);
}

std::array<Int, 2> squarest_grid(Int ranks) {
  Int pr = static_cast<Int>(std::sqrt(static_cast<double>(ranks)));
  while (ranks % pr != 0) --pr;
  return {pr, ranks / pr};
}

}  // namespace cairn
