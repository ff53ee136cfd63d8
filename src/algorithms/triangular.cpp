#include "algorithms/triangular.hpp"

#include <fmt/format.h>

#include <cmath>

#include "algorithms/arguments.hpp"

namespace cairn {

std::string print(std::string_view name, const GridAndBlock& f) {
  const std::string layers = f.layers > 1 ? fmt::format("x{}", f.layers) : "";
  return fmt::format("{} {}x{}{} b={}", name, f.pr, f.pc, layers, f.b);
}

GridAndBlock parse_grid_and_block(std::string_view text, std::string_view example) {
  Arguments arguments(text, example);
  const std::vector<Int> grid = arguments.sizes(2, 3);
  const GridAndBlock f{grid[0], grid[1], grid.size() > 2 ? grid[2] : 1, arguments.number("b")};
  arguments.finish();
  return f;
}

double turns(const GridAndBlock& f, Int n, int down) {
  const auto depth = [](Int ranks) { return std::ceil(std::log2(static_cast<double>(ranks))); };
  return static_cast<double>(n) / static_cast<double>(f.b) * (down * depth(f.pr) + depth(f.pc) + depth(f.layers));
}

// Blocks of at least 32, so that a product of panels is one; and of a size with which every rank owns two in a row.
std::vector<GridAndBlock> grids_and_blocks(Int ranks, Int n) {
  std::vector<GridAndBlock> all;
  for (Int layers = 1; layers * layers * layers <= ranks; ++layers)
    for (Int pr = 1; ranks % layers == 0 && pr <= ranks / layers; ++pr) {
      if (ranks / layers % pr != 0) continue;
      const Int pc = ranks / layers / pr;
      for (Int b = 32; b == 32 || (b <= 512 && 2 * b * layers * std::max(pr, pc) <= n); b *= 2)
        all.push_back({pr, pc, layers, b});
    }
  return all;
}

}  // namespace cairn
