#include "algorithms/triangular.hpp"

#include <fmt/format.h>

#include <set>

#include "algorithms/arguments.hpp"
#include "algorithms/panels.hpp"
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

namespace {

// Whether a matrix lies as the algorithms want it. Names of axes and the storage order do not matter.
bool lies_so(const Layout& held, const GridAndBlock& form) {
  if (form.layers > 1 || form.b < 1 || held.blocks || !held.where.empty() || held.grid.placed()) return false;
  const Layout wanted =
      Layout::block_cyclic(held.m(), held.n(), {.mb = form.b, .nb = form.b, .pr = form.pr, .pc = form.pc});
  return held.grid.axes() == 2 && held.grid.extent(0) == form.pr && held.grid.extent(1) == form.pc &&
         held.rows == wanted.rows && held.cols == wanted.cols;
}

}  // namespace

std::optional<GridAndBlock> form_of(const std::optional<Layout>& held) {
  if (!held || held->rows.cuts.size() != 1 || held->cols.cuts.size() != 1) return {};
  const GridAndBlock form{held->rows.cuts[0].parts, held->cols.cuts[0].parts, 1, held->rows.cuts[0].block};
  if (!lies_so(*held, form)) return {};
  return form;
}

// Blocks of at least 32, so that a product of panels is one; and of a size with which every rank owns two in a row.
std::vector<GridAndBlock> grids_and_blocks(Int ranks, Int n, const std::optional<Layout>& held, bool as_rows) {
  const std::optional<GridAndBlock> there = form_of(held);
  const bool stays = there && n / there->b < most_panels;
  std::vector<GridAndBlock> all;
  std::set<GridAndBlock> seen;
  const auto add = [&](const GridAndBlock& form) {
    if (seen.insert(form).second) all.push_back(form);
  };
  const auto add_grid = [&](Int pr, Int pc, Int layers) {
    for (Int b = 32; b == 32 || (b <= 512 && 2 * b * layers * std::max(pr, pc) <= n); b *= 2) add({pr, pc, layers, b});
    const GridAndBlock in_place{pr, pc, layers, stays ? there->b : 0};
    if (stays && in_place.flat(as_rows) == *there) add(in_place);
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

Panels::Panels(const GridAndBlock& f, Int order, bool is_turned)
    : turned(is_turned),
      n(real(order)),
      pr(real(turned ? f.pc : f.pr)),
      pc(real(turned ? f.pr : f.pc)),
      layers(real(f.layers)),
      b(real(f.b)) {}

Sketch Panels::sketch(double m) const {
  Sketch s;
  s.grid = {static_cast<Int>(turned ? pc : pr), static_cast<Int>(turned ? pr : pc), static_cast<Int>(layers)};
  s.b = static_cast<Int>(b);
  s.rows = most(m, pr), s.cols = n / pc;
  s.share = s.rows / std::max(1.0, m) / (pc * layers);
  s.hidden = layers == 1;
  return s;
}

// Ranks are numbered as Turned numbers its grid.
Road Panels::down(double received, double turns, double words) const {
  return {static_cast<Int>(turned ? pr : ranks()), received, blocks() * turns, blocks() * words};
}
Road Panels::across(double received, double turns, double words) const {
  return {static_cast<Int>(turned ? ranks() : pc * layers), received, blocks() * turns, blocks() * words};
}
Road Panels::up(double received, double turns, double words) const {
  return {static_cast<Int>(turned ? pr * layers : layers), received, blocks() * turns, blocks() * words};
}

double Panels::held(double m, double rows, bool operand) const {
  const auto own = [&](auto part) {
    return part(m, pr) * (part(n, pc * layers) + (layers > 1 ? part(n, pc) : 0)) +
           (operand ? part(n, pr * layers) * part(n, pc) : 0);
  };
  const double left = std::max(0.0, n - layers * b), along = left > 0 && pc > 1 ? least(rows, pr) : 0,
               down = left > 0 && pr > 1 ? least(left, pc) : 0;
  const double passing = (left > pc * b ? along : 0) + (left > pr * b ? down : 0),
               first = own([&](double extent, double over) { return most(extent, over); }) + b * passing,
               last = own([&](double extent, double over) { return least(extent, over); }) + b * (along + down);
  return std::max(first, last);
}

double brought(const std::optional<Layout>& held, Uplo shape, GridAndBlock form, int trips, bool transposed) {
  const double ranks = real(form.pr * form.pc * form.layers);
  if (!held || (!transposed && lies_so(*held, form))) return 0;
  const double words = real(held->m()) * real(held->n()) * (shape == Uplo::full ? 1 : 0.5);
  return trips * words / ranks * (1 - 1 / ranks);
}

}  // namespace cairn
