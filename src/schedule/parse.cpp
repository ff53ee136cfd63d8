// The rules of schedules, slots and steps.
#include <fmt/format.h>

#include "schedule/parser.hpp"
#include "schedule/text.hpp"

namespace cairn {

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
  s_.problem = problem();
  in_.expect_word("ranks");
  in_.expect('=');
  s_.ranks = in_.number("number of ranks", 1, most_ranks);
  in_.end_line();
  do grid();
  while (in_.peek() == 'g');
  s_.grid = grids_[0].grid;
}

Int Parser::size(std::string_view name) {
  in_.expect_word(name);
  in_.expect('=');
  return in_.number("size", 0, most_size);
}

Problem Parser::problem() {
  if (in_.accept_word("copy")) {
    const Int m = size("m");
    return Copy{m, size("n")};
  }
  if (in_.accept_word("potrf")) {
    const Int n = size("n");
    return Factorise{n, one_of("uplo", {Uplo::lower, Uplo::upper})};
  }
  if (in_.accept_word("trsm")) return solve();
  const Int m = size("m"), n = size("n");
  return Multiply{m, n, size("k")};
}

Solve Parser::solve() {
  Solve x;
  x.m = size("m"), x.n = size("n");
  x.side = one_of("side", {Side::left, Side::right});
  x.triangle = one_of("uplo", {Uplo::lower, Uplo::upper});
  x.op = one_of("op", {Op::none, Op::transpose, Op::adjoint});
  x.diag = one_of("diag", {Diag::stored, Diag::unit});
  return x;
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
  if (!view) slot.role = role();
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
  slot.shape = shape();
  if (in_.accept_word("at")) where(slot.layout);
  if (in_.accept_word("blocks")) blocks(slot.layout);
  if (in_.accept_word("of"))
    slot.view_of = slot_number(number);
  else if (view)
    in_.expected("'of' and the slot that this is a view of");
  if (view) slot.role = s_[slot.view_of].role;
  in_.end_line();
  s_.slots.push_back(std::move(slot));
}

SlotInfo::Role Parser::role() {
  for (auto role : {SlotInfo::Role::operand, SlotInfo::Role::result, SlotInfo::Role::panel, SlotInfo::Role::partial_sum,
                    SlotInfo::Role::buffer})
    if (in_.accept_word(name_of(role))) return role;
  in_.expected("'input', 'output', 'panel', 'partial', 'buffer' or 'view'");
}

Uplo Parser::shape() {
  if (in_.accept_word("lower")) return Uplo::lower;
  return in_.accept_word("upper") ? Uplo::upper : Uplo::full;
}

const Grid& Parser::known_grid() {
  const std::string name = in_.name("the name of a grid", words::in_axis);
  for (const NamedGrid& g : grids_)
    if (g.name == name) return g.grid;
  in_.wrong(fmt::format("no grid is called {}", name));
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

Op Parser::op() {
  if (!in_.accept('^')) return Op::none;
  if (in_.accept_word("T")) return Op::transpose;
  in_.expect_word("H");
  return Op::adjoint;
}

// "gemmt -1 %3 %4^H", "gemm conj %3 %4", "trsm %3^H right unit", "scal alpha"
Compute Parser::compute(Kernel kernel, Slot dst, Update update) {
  const bool product = kernel == Kernel::gemm || kernel == Kernel::gemmt;
  Compute x{kernel, -1, -1, dst, update, product ? Factor::alpha : Factor::one};
  if (kernel == Kernel::scal) {
    x.factor = in_.accept_word("alpha") ? Factor::alpha : Factor::zero;
    if (x.factor == Factor::zero) in_.number("factor", 0, 0);
    return x;
  }
  if (product && (in_.peek() == '-' || in_.peek() == '1')) {
    x.factor = in_.accept('-') ? Factor::minus_one : Factor::one;
    in_.number("factor", 1, 1);
  }
  const auto conjugate = [&] { return kernel == Kernel::gemm && in_.accept_word("conj"); };
  if (kernel != Kernel::potrf) x.conjugate_a = conjugate(), x.A = operand(), x.op_a = op();
  if (product) x.conjugate_b = conjugate(), x.B = operand(), x.op_b = op();
  if (kernel == Kernel::trsm && in_.accept_word("right")) x.side = Side::right;
  if (kernel == Kernel::trsm && in_.accept_word("unit")) x.diag = Diag::unit;
  return x;
}

// What C++ evaluates in unspecified order is named here, in the order of the text.
Step Parser::verb(Slot dst, Update update) {
  if (in_.accept_word("redistribute")) {
    const bool scaled = in_.accept_word("alpha"), conjugate = in_.accept_word("conj");
    return Redistribute{operand(), dst, conjugate, update, scaled};
  }
  for (Kernel kernel : {Kernel::gemm, Kernel::gemmt, Kernel::trsm, Kernel::potrf, Kernel::scal})
    if (in_.accept_word(name_of(kernel))) return compute(kernel, dst, update);
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
    in_.expected("bcast, allgather, reduce, reducescatter, shift, add, redistribute, gemm, gemmt, trsm, potrf or scal");
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

Schedule parse_schedule(std::string_view text) { return Parser(text).schedule(); }

}  // namespace cairn
