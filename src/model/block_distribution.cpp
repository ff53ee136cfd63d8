#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <random>
#include <tuple>

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

// Rows or columns of a grid have as many panels each, one after another.
Int part_of(Int panel, Int parts, Int panels) { return panel * parts / panels; }

void require(const char* name, Int number, Int least) {
  constexpr Int most = std::numeric_limits<BlockIndex>::max();
  if (number < least || number > most)
    throw ArgumentError(fmt::format("{}: {}, expected {} to {}", name, number, least, most));
}

// Block number q in a random order belongs to panel order[q], and so on round.
std::vector<BlockIndex> deal(Int blocks, Int parts, const std::vector<Int>& order) {
  std::vector<BlockIndex> to(static_cast<std::size_t>(blocks));
  const std::vector<std::size_t> block = shuffled(to.size());
  for (std::size_t q = 0; q < to.size(); ++q)
    to[block[q]] = static_cast<BlockIndex>(part_of(order[q % order.size()], parts, static_cast<Int>(order.size())));
  return to;
}

// Panels one after another that belong to the same row and column of a grid.
struct Run {
  Int next, end, row, col;
};
std::vector<Run> runs_of(Int pr, Int pc, Int panels) {
  std::vector<Run> runs;
  for (Int v = 0; v < panels; ++v) {
    const Int row = part_of(v, pr, panels), col = part_of(v, pc, panels);
    if (runs.empty() || runs.back().row != row || runs.back().col != col) runs.push_back({v, v, row, col});
    ++runs.back().end;
  }
  return runs;
}

}  // namespace

// Next comes the panel whose row and column have least, both as a share of what they will have.
std::vector<Int> panel_order(Int pr, Int pc) {
  const Int panels = std::lcm(pr, pc);
  std::vector<Run> runs = runs_of(pr, pc, panels);
  std::vector<Int> of_row(static_cast<std::size_t>(pr)), of_col(static_cast<std::size_t>(pc)), order;
  const auto count = [](std::vector<Int>& of, Int at) -> Int& { return of[static_cast<std::size_t>(at)]; };
  const auto key = [&](std::size_t run) {
    const Run& r = runs[run];
    return std::tuple(count(of_row, r.row) * pr + count(of_col, r.col) * pc, r.next, run);
  };
  using Key = std::tuple<Int, Int, std::size_t>;
  std::priority_queue<Key, std::vector<Key>, std::greater<>> next;
  for (std::size_t i = 0; i < runs.size(); ++i) next.push(key(i));
  while (!next.empty()) {
    const Key least = next.top();
    const std::size_t i = std::get<2>(least);
    next.pop();
    if (least == key(i)) {  // nobody else has given its row or column a block since
      order.push_back(runs[i].next++);
      ++count(of_row, runs[i].row), ++count(of_col, runs[i].col);
    }
    if (runs[i].next < runs[i].end) next.push(key(i));
  }
  return order;
}

std::vector<Int> dealt_blocks(Int blocks, Int parts, const std::vector<Int>& order) {
  const auto panels = static_cast<Int>(order.size());
  std::vector<Int> counts(static_cast<std::size_t>(parts));
  for (Int q = 0; q < panels; ++q)
    counts[static_cast<std::size_t>(part_of(order[static_cast<std::size_t>(q)], parts, panels))] +=
        blocks / panels + (q < blocks % panels ? 1 : 0);
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
  const std::vector<Int> order = block_rows > 0 || block_cols > 0 ? panel_order(pr, pc) : std::vector<Int>();
  return {pr, pc, deal(block_rows, pr, order), deal(block_cols, pc, order)};
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
