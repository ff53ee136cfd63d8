// The rules of grids and layouts.
#include <fmt/format.h>

#include <cstdlib>

#include "cairn/error.hpp"
#include "schedule/parser.hpp"

namespace cairn {

void Parser::grid() {
  in_.expect_word("grid");
  std::string name = in_.name("the name of a grid", words::in_axis);
  for (const NamedGrid& g : grids_)
    if (g.name == name) in_.wrong(fmt::format("there is a grid {} already", name));
  if (grids_.size() == most_grids) in_.wrong(fmt::format("more than {} grids", most_grids));
  grids_.push_back({std::move(name), Grid(axes())});
  if (grids_.size() > 1 && in_.accept_word("of")) grids_.back().grid = placed(grids_.back().grid);
  if (grids_.size() == 1 && grids_[0].grid.size() > s_.ranks)
    in_.wrong(fmt::format("the grid needs {} ranks, expected at most {}", grids_[0].grid.size(), s_.ranks));
  in_.end_line();
}

// "of ranks {3,1,0,2}": a caller's grid may have its ranks in any order.
Grid Parser::placed(const Grid& grid) {
  in_.expect_word("ranks");
  in_.expect('{');
  std::vector<Int> ranks;
  do {
    if (static_cast<Int>(ranks.size()) == grid.size()) in_.wrong(fmt::format("expected {} ranks", grid.size()));
    ranks.push_back(in_.number("rank", 0, most_ranks));
  } while (in_.accept(','));
  in_.expect('}');
  try {
    return grid.placed(std::move(ranks));
  } catch (const ArgumentError& e) {
    in_.wrong(e.what());
  }
}

std::vector<Grid::Axis> Parser::axes() {
  std::vector<Grid::Axis> axes;
  Int size = 1;
  in_.expect('{');
  if (in_.accept('}')) return axes;
  do {
    std::string name = axis_name();
    if (name.empty()) in_.wrong("an axis without a name");
    for (const Grid::Axis& a : axes)
      if (a.name == name) in_.wrong(fmt::format("there is an axis {} already", words::axis(name)));
    if (axes.size() == most_axes) in_.wrong(fmt::format("more than {} axes", most_axes));
    in_.expect(':');
    axes.push_back({std::move(name), in_.number("extent", 1, most_ranks / size)});
    size *= axes.back().extent;
  } while (in_.accept(','));
  in_.expect('}');
  return axes;
}

int Parser::axis(const Grid& grid) {
  const std::string name = axis_name();
  for (int a = 0; a < grid.axes(); ++a)
    if (grid.name(a) == name) return a;
  std::string known;
  for (int a = 0; a < grid.axes(); ++a) known += fmt::format("{} {}", a == 0 ? "" : ",", words::axis(grid.name(a)));
  in_.wrong(fmt::format("no axis is called {}, the grid has{}", words::axis(name), known.empty() ? " none" : known));
}

// "2l", "l" or "2": axis -1 stands for the constant. The name follows its factor at once.
Affine::Term Parser::term(const Grid& grid) {
  if (!words::is_digit(in_.peek())) return {axis(grid), 1};
  const Int factor = in_.number("number", 0, most_size);
  const bool named = words::starts_name(in_.here()) || in_.here() == '"';
  if (named && factor == 0) in_.wrong("expected a factor other than 0");
  return {named ? axis(grid) : -1, factor};
}

Affine Parser::affine(const Grid& grid) {
  Affine sum;
  bool constant = false, minus = in_.accept('-');
  do {
    const Affine::Term t = term(grid);
    if (t.axis < 0 ? constant : sum.factor(t.axis) != 0) in_.wrong("expected each axis once, and one constant");
    constant = constant || t.axis < 0;
    sum = sum + (minus ? -t.factor : t.factor) * (t.axis < 0 ? Affine(1) : Affine::along(t.axis));
    minus = in_.peek() == '-';
  } while (in_.accept('+') || in_.accept('-'));
  require_reach(grid, sum);
  return sum;
}

// Keeps its value at every rank, and all sums on the way there, within what an Int holds.
void Parser::require_reach(const Grid& grid, const Affine& a) {
  Int reach = std::abs(a.constant);
  for (const Affine::Term& t : a.terms) {
    Int most = 0;
    if (__builtin_mul_overflow(std::abs(t.factor), grid.extent(t.axis), &most) ||
        __builtin_add_overflow(reach, most, &reach) || reach > most_size)
      in_.wrong(fmt::format("expected values of at most {}", most_size));
  }
}

Int Parser::parts() { return in_.number("number of parts", 1, most_ranks); }

// "2@4": always piece 2 of 4; "4*": all four, one after another.
Cut Parser::constant_cut() {
  const bool minus = in_.accept('-');
  const Int number = in_.number("number", 0, most_size);
  if (!minus && in_.accept('*')) {
    if (number < 1 || number > most_ranks) in_.wrong(fmt::format("expected 1 to {} parts", most_ranks));
    return Cut::each(number);
  }
  in_.expect('@');
  return Cut::fixed(minus ? -number : number, parts());
}

// "[i+j]%4": the piece whose number is i + j modulo 4.
Cut Parser::affine_cut(const Grid& grid) {
  Cut cut;
  in_.expect('[');
  cut.index = affine(grid);
  in_.expect(']');
  in_.expect('%');
  cut.parts = parts();
  return cut;
}

// One of these, and what tells that it is not one even piece: "%s3", "%g4", "%b64", "%b64.7", "%b64{0,1;1;0}"
// or "{0,3,10}".
Cut Parser::cut(const Grid& grid) {
  const bool joined = in_.accept('&');
  const char next = in_.peek();
  const bool constant = next == '-' || words::is_digit(next);
  Cut cut = constant ? constant_cut() : next == '[' ? affine_cut(grid) : Cut::even(grid, axis(grid));
  if (joined && (cut.kind == Cut::Kind::each || in_.peek() == '{')) in_.wrong("expected even pieces after &");
  cut.joined = joined;
  if (cut.kind == Cut::Kind::each) return cut;
  if (in_.accept('%')) {
    const bool span = in_.accept('s');
    if (span || in_.accept('g')) {
      cut.kind = span ? Cut::Kind::span : Cut::Kind::group;
      cut.block = in_.number("number of pieces", 1, most_ranks);
      return cut;
    }
    if (joined) in_.wrong("expected even pieces after &");
    in_.expect('b');
    cut.kind = Cut::Kind::cyclic;
    cut.block = in_.number("size of a block", 1, most_size / cut.parts);
    cut.first = in_.accept('.') ? in_.number("size of the first block", 0, most_size) : cut.block;
    if (in_.peek() == '{') {
      cut.kind = Cut::Kind::classes;
      cut.holders = holders(cut.parts);
    }
  } else if (in_.peek() == '{') {
    cut.kind = Cut::Kind::bounds;
    cut.bounds = bounds();
    if (static_cast<Int>(cut.bounds.size()) != cut.parts + 1)
      in_.wrong(fmt::format("{} boundaries, expected {} for {} parts", cut.bounds.size(), cut.parts + 1, cut.parts));
  }
  return cut;
}

// "{0,1;;1}": who holds each class of blocks, if anybody; "...": as many classes as pieces, each held one further.
Holders Parser::holders(Int parts) {
  std::vector<std::vector<Int>> all;
  in_.expect('{');
  do {
    if (!all.empty() && in_.accept('.')) {
      in_.expect('.');
      in_.expect('.');
      while (static_cast<Int>(all.size()) < parts) all.push_back(words::next_holders(all.back(), parts));
      break;
    }
    all.emplace_back();
    if (!words::is_digit(in_.peek())) continue;
    do all.back().push_back(in_.number("number of a piece", 0, parts - 1));
    while (in_.accept(','));
  } while (in_.accept(';'));
  in_.expect('}');
  return all;
}

Range Parser::range() {
  const Int lo = in_.number("first index", 0, most_size);
  in_.expect(':');
  return {lo, in_.number("end", lo, most_size)};
}

Dim Parser::dim(const Grid& grid) {
  Dim dim{range(), {}};
  if (!in_.accept('/')) return dim;
  if (!in_.accept('(')) {
    dim.cuts.push_back(cut(grid));
    return dim;
  }
  do dim.cuts.push_back(cut(grid));
  while (in_.accept(','));
  in_.expect(')');
  return dim;
}

std::vector<Int> Parser::bounds() {
  std::vector<Int> bounds;
  in_.expect('{');
  do bounds.push_back(in_.number("boundary", bounds.empty() ? 0 : bounds.back(), most_size));
  while (in_.accept(','));
  in_.expect('}');
  return bounds;
}

void Parser::where(Layout& layout) {
  do {
    const int a = axis(layout.grid);
    in_.expect('=');
    layout.where.push_back({a, in_.number("coordinate", 0, layout.grid.extent(a) - 1)});
  } while (in_.accept(','));
}

std::vector<Int> Parser::block_bounds(std::string_view word, Int extent) {
  in_.expect_word(word);
  std::vector<Int> at = bounds();
  if (at.front() != 0 || at.back() != extent) in_.wrong(fmt::format("expected boundaries from 0 to {}", extent));
  return at;
}

void Parser::blocks(Layout& layout) {
  Layout::Blocks b;
  b.row_bounds = block_bounds("rows", layout.m());
  b.col_bounds = block_bounds("cols", layout.n());
  const std::size_t down = b.row_bounds.size() - 1, across = b.col_bounds.size() - 1;
  in_.expect_word("owners");
  in_.expect('{');
  for (std::size_t i = 0; i < down * across; ++i) {
    if (i > 0) in_.expect(i % across == 0 ? ';' : ',');
    b.owner.push_back(in_.number("rank", 0, layout.grid.ranks() - 1));
  }
  in_.expect('}');
  if (in_.accept_word("by")) {
    in_.expect_word("columns");
    b.by_columns = true;
  }
  layout.blocks = std::make_shared<const Layout::Blocks>(std::move(b));
}

}  // namespace cairn
