// parse_schedule: recursive descent, one function a rule, no rule inside itself. Whatever a layout
// says is checked here, so that a parsed schedule can be printed and interpreted without overflow;
// whether its steps make sense is for `check` to say.
#include <fmt/format.h>

#include <cstdlib>
#include <optional>

#include "cairn/error.hpp"
#include "schedule/reader.hpp"
#include "schedule/text.hpp"
#include "schedule/words.hpp"

namespace cairn {

namespace {

constexpr Int most_ranks = Int{1} << 31, most_size = Int{1} << 60, most_slots = Int{1} << 30;
constexpr int most_axes = 64;  // keeps searches for an axis short
constexpr std::size_t most_grids = 1024;

class Parser {
 public:
  explicit Parser(std::string_view text) : in_(text) {}
  Schedule schedule();

 private:
  struct NamedGrid {
    std::string name;
    Grid grid;
  };

  void header();
  void grid();
  Grid placed(const Grid& grid);
  std::vector<Grid::Axis> axes();
  std::string axis_name() { return in_.name("the name of an axis", words::in_axis); }
  int axis(const Grid& grid);
  Affine::Term term(const Grid& grid);
  Affine affine(const Grid& grid);
  void require_reach(const Grid& grid, const Affine& a);
  Int parts();
  Cut constant_cut();
  Cut affine_cut(const Grid& grid);
  Cut cut(const Grid& grid);
  Range range();
  Dim dim(const Grid& grid);
  std::vector<Int> bounds();
  void slot();
  Slot slot_number(Int below);
  SlotInfo::Kind kind();
  const Grid& known_grid();
  void where(Layout& layout);
  std::vector<Int> block_bounds(std::string_view word, Int extent);
  void blocks(Layout& layout);
  void step();
  Slot operand();
  Update update(Slot dst);
  Step verb(Slot dst, Update update);
  int along();
  Affine affine_after(std::string_view word);
  std::pair<Affine, Who> who(int axis);
  How how(Collective of);

  Reader in_;
  Schedule s_;
  std::vector<NamedGrid> grids_;
};

Schedule Parser::schedule() {
  header();
  in_.expect_word("slots");
  in_.end_line();
  while (in_.peek() == '%') slot();
  if (!in_.accept_word("steps")) in_.expected("a slot or 'steps'");
  in_.end_line();
  while (!in_.at_end()) step();
  return std::move(s_);
}

void Parser::header() {
  in_.skip_empty();
  in_.expect_word("cairn-schedule");
  in_.number("format", 1, 1);
  in_.end_line();
  in_.expect_word("algorithm");
  s_.algorithm = in_.line("the spelling of an algorithm");
  in_.end_line();
  in_.expect_word("problem");
  for (auto [name, size] : {std::pair("m", &s_.m), {"n", &s_.n}, {"k", &s_.k}}) {
    in_.expect_word(name);
    in_.expect('=');
    *size = in_.number("size", 0, most_size);
  }
  in_.expect_word("ranks");
  in_.expect('=');
  s_.ranks = in_.number("number of ranks", 1, most_ranks);
  in_.end_line();
  do grid();
  while (in_.peek() == 'g');
  s_.grid = grids_[0].grid;
}

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

// One of these, and what tells that it is not one even piece: "%s3", "%g4", "%b64", "%b64.7" or "{0,3,10}".
Cut Parser::cut(const Grid& grid) {
  const char next = in_.peek();
  const bool constant = next == '-' || words::is_digit(next);
  Cut cut = constant ? constant_cut() : next == '[' ? affine_cut(grid) : Cut::even(grid, axis(grid));
  if (cut.kind == Cut::Kind::each) return cut;
  if (in_.accept('%')) {
    const bool span = in_.accept('s');
    if (span || in_.accept('g')) {
      cut.kind = span ? Cut::Kind::span : Cut::Kind::group;
      cut.block = in_.number("number of pieces", 1, most_ranks);
      return cut;
    }
    in_.expect('b');
    cut.kind = Cut::Kind::cyclic;
    cut.block = in_.number("size of a block", 1, most_size / cut.parts);
    cut.first = in_.accept('.') ? in_.number("size of the first block", 0, most_size) : cut.block;
  } else if (in_.peek() == '{') {
    cut.kind = Cut::Kind::bounds;
    cut.bounds = bounds();
    if (static_cast<Int>(cut.bounds.size()) != cut.parts + 1)
      in_.wrong(fmt::format("{} boundaries, expected {} for {} parts", cut.bounds.size(), cut.parts + 1, cut.parts));
  }
  return cut;
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

Slot Parser::slot_number(Int below) {
  if (below == 0) in_.expected("a slot that comes earlier, of which there are none");
  in_.expect('%');
  return static_cast<Slot>(in_.number("slot", 0, below - 1));
}

// %3  view    A[0:64/i, 0:64/(l,0@2,j)] col of %0
void Parser::slot() {
  SlotInfo slot;
  const Int number = static_cast<Int>(s_.slots.size());
  in_.expect('%');
  in_.number("slot", number, std::min(number, most_slots));
  const bool view = in_.accept_word("view");
  if (!view) slot.kind = kind();
  const Grid& grid = in_.accept_word("on") ? known_grid() : s_.grid;
  slot.layout.grid = grid;
  slot.name = in_.name("the name of a matrix", words::in_slot);
  in_.expect('[');
  slot.layout.rows = dim(grid);
  in_.expect(',');
  slot.layout.cols = dim(grid);
  in_.expect(']');
  if (in_.accept_word("row"))
    slot.layout.order = Order::row;
  else if (!in_.accept_word("col"))
    in_.expected("'col' or 'row'");
  if (in_.accept_word("at")) where(slot.layout);
  if (in_.accept_word("blocks")) blocks(slot.layout);
  if (in_.accept_word("of"))
    slot.view_of = slot_number(number);
  else if (view)
    in_.expected("'of' and the slot that this is a view of");
  if (view) slot.kind = s_[slot.view_of].kind;
  in_.end_line();
  s_.slots.push_back(std::move(slot));
}

SlotInfo::Kind Parser::kind() {
  if (in_.accept_word("input")) return SlotInfo::Kind::input;
  if (in_.accept_word("output")) return SlotInfo::Kind::output;
  if (in_.accept_word("scratch")) return SlotInfo::Kind::scratch;
  in_.expected("'input', 'output', 'scratch' or 'view'");
}

const Grid& Parser::known_grid() {
  const std::string name = in_.name("the name of a grid", words::in_axis);
  for (const NamedGrid& g : grids_)
    if (g.name == name) return g.grid;
  in_.wrong(fmt::format("no grid is called {}", name));
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

//   37  %2 = beta %2 + reducescatter %5 along l @cosma.cpp:55
void Parser::step() {
  LabelledStep step;
  const Int number = static_cast<Int>(s_.steps.size()) + 1;
  if (words::is_digit(in_.peek())) in_.number("step", number, number);
  const Slot dst = operand();
  const Update how = update(dst);
  step.step = verb(dst, how);
  if (in_.accept('@')) step.source = in_.token("where the step was made", words::in_source);
  in_.end_line();
  s_.steps.push_back(std::move(step));
}

Slot Parser::operand() { return slot_number(static_cast<Int>(s_.slots.size())); }

Update Parser::update(Slot dst) {
  const bool plus = in_.accept('+');
  in_.expect('=');
  if (plus) return Update::accumulate;
  if (!in_.accept_word("beta")) return Update::overwrite;
  if (operand() != dst) in_.wrong(fmt::format("expected beta times the same slot, %{}", dst));
  in_.expect('+');
  return Update::beta;
}

int Parser::along() {
  in_.expect_word("along");
  return axis(s_.grid);
}

Affine Parser::affine_after(std::string_view word) {
  in_.expect_word(word);
  return affine(s_.grid);
}

// "where j-(i+2) in 0:2"
std::pair<Affine, Who> Parser::who(int axis) {
  std::pair<Affine, Who> who{Affine(), {0, s_.grid.extent(axis)}};
  if (!in_.accept_word("where")) return who;
  if (this->axis(s_.grid) != axis)
    in_.wrong(fmt::format("expected the axis of the step, {}", words::axis(s_.grid.name(axis))));
  if (in_.accept('-')) {
    in_.expect('(');
    who.first = affine(s_.grid);
    in_.expect(')');
  }
  in_.expect_word("in");
  const Range positions = range();
  who.second = {positions.lo, positions.hi};
  if (in_.accept_word("every")) who.second.every = in_.number("number of positions", 1, most_size);
  if (in_.accept_word("for")) who.second.run = in_.number("number of positions", 1, most_size);
  return who;
}

// "by chain:8"
How Parser::how(Collective of) {
  if (!in_.accept_word("by")) return {};
  How how;
  const std::string name = in_.name("how the collective is carried out", words::in_axis);
  const std::optional<Way> way = find_way(of, name);
  if (!way) in_.wrong(fmt::format("'{}' is no way of {}, expected one of {}", name, name_of(of), list_of_ways(of)));
  how.way = *way;
  if (how.way == Way::chain && in_.accept(':')) how.segments = in_.number("number of segments", 1, most_ranks);
  return how;
}

// What C++ evaluates in unspecified order is named here, in the order of the text.
Step Parser::verb(Slot dst, Update update) {
  if (in_.accept_word("redistribute")) {
    const bool scaled = in_.accept_word("alpha"), conjugate = in_.accept_word("conj");
    return Redistribute{operand(), dst, conjugate, update, scaled};
  }
  if (in_.accept_word("gemm")) {
    const Slot A = operand(), B = operand();
    return Gemm{A, B, dst, update};
  }
  const bool add = in_.accept_word("add"), reduce = !add && in_.accept_word("reduce");
  if (add || reduce || in_.accept_word("reducescatter")) {
    const Slot src = operand();
    const int axis = along();
    if (reduce) {
      Affine root = affine_after("to");
      return Reduce{src, dst, axis, std::move(root), update, how(Collective::reduce)};
    }
    if (!add) return ReduceScatter{src, dst, axis, update, how(Collective::reduce_scatter)};
    auto [origin, positions] = who(axis);
    return Add{src, dst, axis, std::move(origin), positions, update};
  }
  const bool bcast = in_.accept_word("bcast"), shift = !bcast && in_.accept_word("shift");
  if (!bcast && !shift && !in_.accept_word("allgather"))
    in_.expected("bcast, allgather, reduce, reducescatter, shift, add, redistribute or gemm");
  if (update != Update::overwrite) in_.wrong("this step only overwrites, expected '='");
  const Slot src = operand();
  const int axis = along();
  if (bcast) {
    Affine root = affine_after("from");
    return Bcast{src, dst, axis, std::move(root), how(Collective::bcast)};
  }
  if (!shift) return AllGather{src, dst, axis, how(Collective::allgather)};
  Affine by = affine_after("by");
  auto [origin, positions] = who(axis);
  return Shift{src, dst, axis, std::move(by), std::move(origin), positions};
}

}  // namespace

Schedule parse_schedule(std::string_view text) { return Parser(text).schedule(); }

}  // namespace cairn
