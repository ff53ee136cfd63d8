#include "algorithms/grids_and_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "algorithms/arguments.hpp"
#include "base/arithmetic.hpp"

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

bool lies_so(const Layout& held, const GridAndBlock& form) {
  if (form.layers > 1 || form.b < 1 || held.blocks || !held.where.empty() || held.grid.placed()) return false;
  const Layout wanted =
      Layout::block_cyclic(held.m(), held.n(), {.mb = form.b, .nb = form.b, .pr = form.pr, .pc = form.pc});
  return held.grid.axes() == 2 && held.grid.extent(0) == form.pr && held.grid.extent(1) == form.pc &&
         held.rows == wanted.rows && held.cols == wanted.cols;
}

namespace {

// The form of which a layout is, if it is of any.
std::optional<GridAndBlock> form_of(const std::optional<Layout>& held) {
  if (!held || held->rows.cuts.size() != 1 || held->cols.cuts.size() != 1) return {};
  const GridAndBlock form{held->rows.cuts[0].parts, held->cols.cuts[0].parts, 1, held->rows.cuts[0].block};
  if (!lies_so(*held, form)) return {};
  return form;
}

}  // namespace

Int wide_enough(Int b, Int n, Int ranks) {
  constexpr Int most_blocks = 256;
  while (n / ranks / b > most_blocks) b *= 2;
  return b;
}

std::vector<Int> widths(Int n, Int ranks) {
  constexpr Int narrowest = 32, widest = 512;
  constexpr Int most_in_all = 1 << 16;  // each is a few steps of a schedule, and several schedules are made
  Int least = wide_enough(narrowest, n, ranks);
  while (n / least > most_in_all) least *= 2;
  std::vector<Int> all{least};
  const auto wider = [&](Int b) { return ranks == 1 ? b < n : 4 * b * ranks <= n; };
  while (2 * all.back() <= widest && wider(all.back())) all.push_back(2 * all.back());
  return all;
}

std::vector<GridAndBlock> grids_and_blocks(Int ranks, Int n, const std::optional<Layout>& held, bool turned) {
  const std::optional<GridAndBlock> there = form_of(held);
  const bool stays = there && n / there->b < most_turns;
  std::vector<GridAndBlock> all;
  std::set<GridAndBlock> seen;
  const auto add = [&](const GridAndBlock& form) {
    if (seen.insert(form).second) all.push_back(form);
  };
  const auto add_grid = [&](Int pr, Int pc, Int layers) {
    const bool one_has_all = layers == 1 && (turned ? pr : pc) == 1;
    for (Int b : widths(n, one_has_all ? 1 : layers * std::max(pr, pc))) add({pr, pc, layers, b});
    const GridAndBlock in_place{pr, pc, layers, stays ? there->b : 0};
    if (stays && in_place.flat(turned) == *there) add(in_place);
  };
  for (Int layers = 1; layers * layers * layers <= ranks; ++layers)
    for (Int in_layer = ranks / layers, pr = 0; pr < in_layer;) {
      const Int pc = in_layer / (pr + 1);  // of grids with so many columns that with most rows
      pr = in_layer / pc;
      add_grid(pr, pc, layers);
    }
  if (stays && there->pr * there->pc < ranks) add(*there);
  return all;
}

std::optional<GridAndBlock> without_idle(GridAndBlock f, Int ranks, Int n, Int rows, bool turned) {
  const Int blocks = std::max<Int>(1, ceil_div(n, f.b)), most_rows = std::max<Int>(1, rows);
  Int &pr = turned ? f.pc : f.pr, &pc = turned ? f.pr : f.pc;
  f.layers = std::min(f.layers, blocks);
  pr = std::min(pr, most_rows);
  pc = std::min(ceil_div(blocks, f.layers), ranks / f.layers / pr);
  pr = std::min(most_rows, ranks / f.layers / pc);
  if (ranks > 1 && pr * pc * f.layers == 1 && f.b > widths(n, ranks).front()) return {};
  return f;
}

std::vector<GridAndBlock> grids_of_blocks(Int ranks, Int n, const std::optional<Layout>& held, bool turned) {
  const std::optional<GridAndBlock> there = form_of(held);
  std::vector<GridAndBlock> all;
  std::set<GridAndBlock> seen;
  const auto add = [&](GridAndBlock f, bool fewer_columns) {
    const std::optional<GridAndBlock> fit =
        f.flat(turned) == there ? f : without_idle(f, ranks, n, ceil_div(n, f.b), turned);
    if (!fit) return;
    f = *fit;
    Int &rows = turned ? f.pc : f.pr, &cols = turned ? f.pr : f.pc;
    if (fewer_columns) cols -= cols % rows;
    if (cols > 0 && seen.insert(f).second) all.push_back(f);
  };
  const std::vector<GridAndBlock> given = grids_and_blocks(ranks, n, held, turned);
  for (const bool fewer_columns : {false, true})
    for (const GridAndBlock& f : given) add(f, fewer_columns);
  return all;
}

}  // namespace cairn
