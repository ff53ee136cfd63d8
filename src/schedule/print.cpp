// print, and the label by which an error names a step.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "schedule/kernels.hpp"
#include "schedule/text.hpp"
#include "schedule/words.hpp"

namespace cairn {

namespace {

constexpr std::size_t comment_column = 56;

// Labels are made of broken schedules too, so an axis or a slot out of range must not be looked up.
std::string axis_text(const Grid& grid, int axis) {
  return axis >= 0 && axis < grid.axes() ? words::axis(grid.name(axis)) : fmt::format("?{}", axis);
}

std::string affine_text(const Grid& grid, const Affine& a) {
  std::string text;
  for (const Affine::Term& t : a.terms) {
    const std::string_view sign = t.factor < 0 ? "-" : text.empty() ? "" : "+";
    const std::uint64_t size =
        t.factor < 0 ? 0 - static_cast<std::uint64_t>(t.factor) : static_cast<std::uint64_t>(t.factor);
    text += size == 1 ? fmt::format("{}{}", sign, axis_text(grid, t.axis))
                      : fmt::format("{}{}{}", sign, size, axis_text(grid, t.axis));
  }
  if (text.empty()) return std::to_string(a.constant);
  return a.constant == 0 ? text : text + fmt::format("{:+}", a.constant);
}

std::string list_text(const std::vector<Int>& numbers) { return fmt::format("{{{}}}", fmt::join(numbers, ",")); }

// "{0,3;1,0;...}" where each class is held one further than the one before, and there are as many as pieces.
std::string holders_text(const Holders& holders, Int parts) {
  bool turning = holders.size() == parts && parts > 2;
  for (Int c = 1; c < holders.size() && turning; ++c)
    turning = holders.of(c) == words::next_holders(holders.of(c - 1), parts);
  std::string text;
  for (Int c = 0; c < (turning ? 2 : holders.size()); ++c)
    text += fmt::format("{}{}", text.empty() ? '{' : ';', fmt::join(holders.of(c), ","));
  return text + (turning ? ";...}" : "}");
}

std::string grid_text(const Grid& grid) {
  std::string text = "{";
  for (int a = 0; a < grid.axes(); ++a)
    text += fmt::format("{}{}:{}", a > 0 ? ", " : "", axis_text(grid, a), grid.extent(a));
  text += '}';
  return grid.placed() ? text + " of ranks " + list_text(grid.placement()) : text;
}

std::string cut_text(const Grid& grid, const Cut& cut) {
  if (cut.kind == Cut::Kind::each) return fmt::format("{}*", cut.parts);
  std::string text = cut.joined ? "&" : "";
  const std::vector<Affine::Term>& terms = cut.index.terms;
  const bool along_one = terms.size() == 1 && terms[0].factor == 1 && cut.index.constant == 0 && terms[0].axis >= 0 &&
                         terms[0].axis < grid.axes() && cut.parts == grid.extent(terms[0].axis);
  if (along_one)
    text += axis_text(grid, terms[0].axis);
  else if (terms.empty())
    text += fmt::format("{}@{}", cut.index.constant, cut.parts);
  else
    text += fmt::format("[{}]%{}", affine_text(grid, cut.index), cut.parts);
  if (cut.kind == Cut::Kind::bounds) return text + list_text(cut.bounds);
  if (cut.kind == Cut::Kind::even) return text;
  if (cut.kind == Cut::Kind::span) return text + fmt::format("%s{}", cut.block);
  if (cut.kind == Cut::Kind::group) return text + fmt::format("%g{}", cut.block);
  text += fmt::format("%b{}", cut.block);
  if (cut.first != cut.block) text += fmt::format(".{}", cut.first);
  return cut.kind == Cut::Kind::classes ? text + holders_text(cut.holders, cut.parts) : text;
}

std::string dim_text(const Grid& grid, const Dim& dim) {
  std::string text = fmt::format("{}:{}", dim.extent.lo, dim.extent.hi);
  if (dim.cuts.empty()) return text;
  if (dim.cuts.size() == 1) return text + '/' + cut_text(grid, dim.cuts[0]);
  for (std::size_t c = 0; c < dim.cuts.size(); ++c)
    text += fmt::format("{}{}", c == 0 ? "/(" : ",", cut_text(grid, dim.cuts[c]));
  return text += ')';
}

std::string cuts_text(const std::string& name, const Layout& l) {
  return fmt::format("{}[{}, {}]", name, dim_text(l.grid, l.rows), dim_text(l.grid, l.cols));
}

std::string where_text(const Layout& layout) {
  std::string text;
  for (std::size_t w = 0; w < layout.where.size(); ++w)
    text += fmt::format("{}{}={}", w == 0 ? " at " : ",", axis_text(layout.grid, layout.where[w].axis),
                        layout.where[w].index);
  return text;
}

std::string blocks_text(const Layout::Blocks& b) {
  std::string text = fmt::format(" blocks rows {} cols {} owners {{", list_text(b.row_bounds), list_text(b.col_bounds));
  const std::size_t across = b.col_bounds.size() - 1;
  for (std::size_t i = 0; i < b.owner.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i % across == 0 ? "; " : ",", b.owner[i]);
  text += '}';
  return b.by_columns ? text + " by columns" : text;
}

// The most indices that a rank keeps, without listing them; none for cuts where that takes longer. Even cuts leave the
// first piece the longest.
std::optional<Int> most_indices(Dim dim) {
  for (Cut& cut : dim.cuts) {
    if (cut.parts < 1 || cut.joined || (cut.kind != Cut::Kind::each && cut.kind != Cut::Kind::even))
      return std::nullopt;
    if (!cut.index.terms.empty()) cut.index = {};
  }
  return dim.size(Grid(), 0);
}

std::string words_comment(const Layout& layout) {
  const std::optional<Int> rows = most_indices(layout.rows), cols = most_indices(layout.cols);
  Int words = 0;
  if (layout.blocks || !rows || !cols || __builtin_mul_overflow(*rows, *cols, &words)) return "";
  return std::to_string(words);
}

std::string commented(std::string line, std::string_view comment) {
  if (comment.empty()) return line + '\n';
  return fmt::format("{:<{}}  # {}\n", line, comment_column, comment);
}

std::string order_text(const SlotInfo& slot) {
  const std::string_view order = slot.layout.order == Order::col ? "col" : "row";
  return slot.shape == Uplo::full ? std::string(order) : fmt::format("{} {}", order, name_of(slot.shape));
}

std::string slot_text(const Schedule& s, Slot x, const std::string& grid, const PrintOptions& options) {
  const SlotInfo& slot = s[x];
  const bool like_parent = slot.view_of >= 0 && slot.view_of < x && s[slot.view_of].role == slot.role;
  const std::string_view kind = like_parent ? "view" : name_of(slot.role);
  std::string text =
      fmt::format("  {:<4} {:<7} {}{} {}{}", fmt::format("%{}", x), kind, grid.empty() ? "" : "on " + grid + " ",
                  cuts_text(words::slot(slot.name), slot.layout), order_text(slot), where_text(slot.layout));
  if (slot.layout.blocks) text += blocks_text(*slot.layout.blocks);
  if (slot.view_of >= 0) text += fmt::format(" of %{}", slot.view_of);
  return commented(std::move(text), options.comments ? words_comment(slot.layout) : "");
}

std::string_view sign_of(Update update) { return update == Update::accumulate ? "+=" : "="; }

std::string who_text(const Grid& grid, int axis, const Affine& origin, const Who& who) {
  const bool all = axis >= 0 && axis < grid.axes() && who == Who{0, grid.extent(axis)};
  if (all && origin == Affine()) return "";
  const std::string from = origin == Affine() ? "" : fmt::format("-({})", affine_text(grid, origin));
  std::string text = fmt::format(" where {}{} in {}:{}", axis_text(grid, axis), from, who.lo, who.hi);
  if (who.every != 1 || who.run != 1) text += fmt::format(" every {}", who.every);
  return who.run == 1 ? text : text + fmt::format(" for {}", who.run);
}

// What a step line and a label say alike: the verb, and what follows the slots.
struct Verb {
  std::string_view name;
  std::string how;
};

struct VerbOf {
  const Grid& grid;
  std::string along(int axis) const { return " along " + axis_text(grid, axis); }
  std::string at(const Affine& a) const { return affine_text(grid, a); }

  static std::string by(const How& how) { return how == How() ? "" : " by " + text_of(how); }

  Verb operator()(const Bcast& x) const { return {"bcast", along(x.axis) + " from " + at(x.root) + by(x.how)}; }
  Verb operator()(const AllGather& x) const { return {"allgather", along(x.axis) + by(x.how)}; }
  Verb operator()(const Reduce& x) const { return {"reduce", along(x.axis) + " to " + at(x.root) + by(x.how)}; }
  Verb operator()(const ReduceScatter& x) const { return {"reducescatter", along(x.axis) + by(x.how)}; }
  Verb operator()(const Shift& x) const {
    return {"shift", along(x.axis) + " by " + at(x.by) + who_text(grid, x.axis, x.origin, x.who)};
  }
  Verb operator()(const Add& x) const { return {"add", along(x.axis) + who_text(grid, x.axis, x.origin, x.who)}; }
  Verb operator()(const Redistribute& x) const {
    if (x.scaled) return {x.conjugate ? "redistribute alpha conj" : "redistribute alpha", ""};
    return {x.conjugate ? "redistribute conj" : "redistribute", ""};
  }
  Verb operator()(const Compute& x) const { return {name_of(x.kernel), ""}; }
};

// Operands are what a step reads apart from what its destination held, which access() lists last.
std::vector<Slot> operands(const Step& step) {
  const Compute* x = std::get_if<Compute>(&step);
  if (!x) return {access(step).reads[0]};
  std::vector<Slot> all;
  for (Slot operand : {x->A, x->B})
    if (operand >= 0) all.push_back(operand);
  return all;
}

std::string_view text_of(Op op) { return op == Op::none ? "" : op == Op::transpose ? "^T" : "^H"; }

// "gemm -1 %3 %4^H", "gemm conj %3 %4", "trsm %3^H right unit", "scal alpha"
std::string compute_text(const Compute& x) {
  std::string text{name_of(x.kernel)};
  if (x.B >= 0 && x.factor == Factor::one) text += " 1";
  if (x.B >= 0 && x.factor == Factor::minus_one) text += " -1";
  if (x.kernel == Kernel::scal) text += x.factor == Factor::zero ? " 0" : " alpha";
  const auto conj = [](bool yes) { return yes ? " conj" : ""; };
  if (x.A >= 0) text += fmt::format("{} %{}{}", conj(x.conjugate_a), x.A, text_of(x.op_a));
  if (x.B >= 0) text += fmt::format("{} %{}{}", conj(x.conjugate_b), x.B, text_of(x.op_b));
  if (x.side == Side::right) text += " right";
  return x.diag == Diag::unit ? text + " unit" : text;
}

std::string slot_short(const Schedule& s, Slot x) {
  const bool known = x >= 0 && x < static_cast<Slot>(s.slots.size());
  return known ? print(s[x], s.grid) : fmt::format("%{}", x);
}

// A product also shows what it is made of, so that its shapes can be checked by eye.
std::string step_comment(const Schedule& s, const Step& step) {
  std::string text = slot_short(s, access(step).writes);
  const Compute* x = std::get_if<Compute>(&step);
  if (x == nullptr || x->A < 0) return text;
  text += fmt::format(" {} {}{}", sign_of(x->update), slot_short(s, x->A), text_of(x->op_a));
  return x->B < 0 ? text : fmt::format("{} {}{}", text, slot_short(s, x->B), text_of(x->op_b));
}

std::string step_text(const Schedule& s, std::size_t number, const PrintOptions& options) {
  const auto& [step, source] = s.steps[number];
  const Verb verb = std::visit(VerbOf{s.grid}, step);
  const auto [reads, dst, update, communicates] = access(step);
  std::string text = fmt::format("  {:>4}  %{} {} ", number + 1, dst, sign_of(update));
  if (update == Update::beta) text += fmt::format("beta %{} + ", dst);
  if (const Compute* compute = std::get_if<Compute>(&step)) {
    text += compute_text(*compute);
  } else {
    text += fmt::format("{} %{}{}", verb.name, reads[0], verb.how);
  }
  if (options.sources && !source.empty()) text += " @" + words::source(source);
  return commented(std::move(text), options.comments ? step_comment(s, step) : "");
}

// The schedule's grid is g, the callers' other ones g1, g2, ... as they come.
class GridNames {
 public:
  explicit GridNames(const Schedule& s) : grids_{s.grid} {
    for (const SlotInfo& slot : s.slots)
      if (index(slot.layout.grid) == grids_.size()) grids_.push_back(slot.layout.grid);
  }
  std::size_t index(const Grid& grid) const {
    return static_cast<std::size_t>(std::find(grids_.begin(), grids_.end(), grid) - grids_.begin());
  }
  std::string name(std::size_t index) const { return index == 0 ? "g" : fmt::format("g{}", index); }
  std::string lines() const {
    std::string text;
    for (std::size_t g = 0; g < grids_.size(); ++g) text += fmt::format("grid {} {}\n", name(g), grid_text(grids_[g]));
    return text;
  }

 private:
  std::vector<Grid> grids_;
};

}  // namespace

std::string print(const SlotInfo& slot, const Grid& grid) {
  const std::string name = slot.name.empty() ? "" : words::slot(slot.name);  // layouts alone have none
  std::string text = cuts_text(name, slot.layout) + where_text(slot.layout);
  if (slot.layout.blocks) text += " in blocks";
  return slot.layout.grid == grid ? text : text + " on " + grid_text(slot.layout.grid);
}

std::string text_of(const Layout& l) {
  std::string text = print(SlotInfo{"", l}, Grid()) + (l.order == Order::col ? " col" : " row");
  if (l.blocks)
    text += fmt::format(" rows {} cols {} owners {} {}", fmt::join(l.blocks->row_bounds, ","),
                        fmt::join(l.blocks->col_bounds, ","), fmt::join(l.blocks->owner, ","), l.blocks->by_columns);
  return text;
}

std::string print(const Schedule& s, const PrintOptions& options) {
  const GridNames grids(s);
  std::string text = fmt::format("cairn-schedule 1\nalgorithm {}\nproblem {} ranks={}\n{}\n", words::line(s.algorithm),
                                 spelled(s.problem), s.ranks, grids.lines());
  text += commented("slots", "the most words a rank holds");
  for (Slot x = 0; x < static_cast<Slot>(s.slots.size()); ++x) {
    const std::size_t grid = grids.index(s.layout(x).grid);
    text += slot_text(s, x, grid == 0 ? "" : grids.name(grid), options);
  }
  text += '\n' + commented("steps", "what the step makes");
  for (std::size_t t = 0; t < s.steps.size(); ++t) text += step_text(s, t, options);
  return text;
}

std::size_t fingerprint(const Schedule& s) {
  return std::hash<std::string>{}(print(s, {.sources = false, .comments = false}));
}

std::string label(const Schedule& s, std::size_t number) {
  const auto& [step, source] = s.steps[number];
  const Verb verb = std::visit(VerbOf{s.grid}, step);
  std::string text = fmt::format("step {}/{} {}", number + 1, s.steps.size(), verb.name);
  for (Slot x : operands(step)) text += ' ' + slot_short(s, x);
  text += fmt::format(" -> {}{}", slot_short(s, access(step).writes), verb.how);
  return source.empty() ? text : text + fmt::format(" ({})", source);
}

}  // namespace cairn
