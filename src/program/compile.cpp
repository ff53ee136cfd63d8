#include "program/compile.hpp"

#include "program/messages.hpp"
#include "schedule/ahead.hpp"
#include "schedule/kernels.hpp"

namespace cairn {

Lowering::Lowering(const Schedule& s)
    : schedule(s), uses(s), ahead(cairn::ahead(s)), leaves_with(cairn::leaves_with(s)) {}

Compiler::Compiler(const Lowering& of, Int rank, const std::vector<Int>& leading, Transport transport)
    : s_(of.schedule), of_(of), does_(of.uses.does), rank_(rank), leading_(leading) {
  program_.transport = transport;
  program_.placement = place_buffers(s_, of.uses, rank, transport);
}

Program Compiler::run() {
  for (const Placement::Input& i : program_.placement.inputs)
    program_.inputs.push_back({i.storage, lines(array(i.storage), i.rows, i.cols), i.offset});
  program_.factors = std::any_of(does_.begin(), does_.end(), [](const Effect& e) {
    return as_compute(e) && as_compute(e)->kernel == Kernel::potrf;
  });
  for (step_ = 0; step_ < does_.size(); ++step_) {
    spans_.clear();
    if (concerns(s_, does_[step_], rank_)) std::visit([this](const auto& x) { lower(x); }, does_[step_]);
  }
  hold_back(program_, of_.leaves_with);
  count_arrivals(program_, [](int) { return false; });
  return std::move(program_);
}

const Array& Compiler::array(Slot x) {
  const Slot storage = s_.storage(x);
  const auto [known, fresh] = arrays_.try_emplace(storage);
  Array& a = known->second;
  if (!fresh) return a;
  const Layout& l = s_.layout(storage);
  a = {storage, 0, l.rows_at(rank_), l.cols_at(rank_), 1, l.order};
  a.ld = std::max<Int>(1, l.order == Order::col ? a.rows.size() : a.cols.size());
  // Where a rank holds nothing, the caller's array may have been empty in the other dimension.
  if (const Int given = leading_[static_cast<std::size_t>(storage)]; given > a.ld) a.ld = given;
  return a;
}

LocalView Compiler::whole(Slot x) {
  const Region all = region(s_.layout(x), rank_);
  return block(x, Op::none, all.rows, all.cols);
}

// `check` proves of views that they are one block.
LocalView Compiler::block(Slot x, Op op, const IndexSet& rows, const IndexSet& cols) {
  const Array& a = array(x);
  const std::vector<LocalView> all = op == Op::none ? blocks(a, rows, cols) : blocks(a, cols, rows);
  if (all.size() > 1) throw RuntimeError(label(s_, step_) + ": an operand that does not lie in one block");
  if (op == Op::none) return all.empty() ? a.view({0, rows.size()}, {0, cols.size()}) : all.front();
  LocalView v = all.empty() ? a.view({0, cols.size()}, {0, rows.size()}) : all.front();
  std::swap(v.rows, v.cols);
  v.order = v.order == Order::col ? Order::row : Order::col;
  return v;
}

Message Compiler::message(const Parcel& p, Int copied, bool sent) {
  const Array& a = array(p.slot);
  Message m{a.storage, lines(a, p.rows, p.cols, p.shape), static_cast<int>(p.peer), p.words};
  m.place.copied = copied >= 0;
  if (m.place.copied) m.place.at = program_.placement.scratch[step_] + copied;
  if (program_.transport != Transport::one_sided) return m;
  m.place.announced = !is_input(s_, access(does_[step_]).reads[0]);
  if (m.place.copied) return m;
  m.place.at = sent && !m.place.announced
                   ? program_.placement.input(m.storage, p.rows, p.cols)
                   : program_.placement.offset[static_cast<std::size_t>(m.storage)] + m.lines.start();
  return m;
}

Exchange Compiler::exchange() {
  Exchange e;
  e.ahead = of_.ahead[step_] > 0;
  const CopiedParcels c = copied_parcels(s_, does_[step_], rank_, program_.transport);
  for (std::size_t i = 0; i < c.received.size(); ++i)
    e.receives.push_back(message(c.all.receives[i], c.received[i], false));
  for (std::size_t i = 0; i < c.sent.size(); ++i) e.sends.push_back(message(c.all.sends[i], c.sent[i], true));
  return e;
}

LocalUpdate Compiler::own(const Move& m) {
  const Region part = travelling(s_, m, rank_, rank_);
  const Uplo shape = m.adds_to(s_[m.dst].shape) ? s_[m.dst].shape : travelling_shape(s_, m);
  LocalUpdate all{{}, m.update};
  const auto add = [&](const IndexSet& rows, const IndexSet& cols) {
    all.blocks.push_back(paired(array(m.dst), array(m.src), rows, cols));
  };
  for (const CountedPart& p : counted_parts(shape, part.rows, part.cols)) {
    if (!p.on_diagonal) add(p.rows, p.cols);
    for (Range r : p.on_diagonal ? p.cols.pieces() : std::span<const Range>())
      for (Int j = r.lo; j < r.hi; ++j)
        add(shape == Uplo::lower ? Range{j, r.hi} : Range{r.lo, j + 1}, Range{j, j + 1});
  }
  return all;
}

void Compiler::lower(const Move& m) {
  require_direct(s_.grid, m, "the executor");
  switch (m.from) {
    case Move::From::one:
    case Move::From::root: return lower_message(m);
    case Move::From::pieces: return lower_gather(m);
    case Move::From::terms: return lower_sum(m);
  }
}

void Compiler::lower_message(const Move& m) {
  if (m.takes_part(s_.grid, rank_) && m.source(s_.grid, rank_) == rank_) push(own(m), {m.src}, m.dst);
  push(exchange(), {m.src}, m.dst);
}

void Compiler::lower_gather(const Move& m) {
  Exchange e = exchange();
  const bool receives = !e.receives.empty();
  push(std::move(e), {m.src}, m.dst);
  // Beside what is being received: whoever used this memory before is waited for, as by the exchange.
  const std::vector<Range> before = receives ? program_.operations.back().wait : std::vector<Range>();
  push(own(m), {m.src}, receives ? -1 : m.dst, before);
}

void Compiler::lower(const Compute& x) {
  if (x.kernel == Kernel::gemm || x.kernel == Kernel::gemmt) return lower_product(x);
  lower_triangle(x);
}

// The elements that count: blocks of which all do, by gemm, and squares on the diagonal. Narrower products are slower,
// and between wider ones nobody looks after messages.
void Compiler::lower_product(const Compute& x) {
  const bool conjugate_a = x.conjugate_a != (x.op_a == Op::adjoint),
             conjugate_b = x.conjugate_b != (x.op_b == Op::adjoint);
  const auto [rows, cols] = region(s_.layout(x.C), rank_);
  if (x.kernel == Kernel::gemm && x.op_a == Op::none && x.op_b == Op::none)
    return push(LocalGemm{whole(x.A), whole(x.B), whole(x.C), x.update, x.factor, conjugate_a, conjugate_b}, {x.A, x.B},
                x.C);
  const Work w = work_at(s_, x, rank_);
  const Uplo shape = x.kernel == Kernel::gemm ? Uplo::full : s_[x.C].shape;
  constexpr Int updated_together = 128;
  for (const CountedPart& p : counted_parts(shape, rows, cols, updated_together)) {
    const LocalView A = block(x.A, x.op_a, p.rows, w.A.cols), B = block(x.B, x.op_b, w.A.cols, p.cols),
                    C = block(x.C, Op::none, p.rows, p.cols);
    if (p.on_diagonal)
      push(LocalTriangle{Kernel::gemmt, A, B, C, shape, x.update, x.factor, conjugate_a, conjugate_b}, {x.A, x.B}, x.C);
    else
      push(LocalGemm{A, B, C, x.update, x.factor, conjugate_a, conjugate_b}, {x.A, x.B}, x.C);
  }
}

void Compiler::lower_triangle(const Compute& x) {
  const auto [rows, cols] = region(s_.layout(x.C), rank_);
  if (rows.empty() || cols.empty()) return;
  LocalTriangle t{x.kernel, {}, {}, whole(x.C), s_[x.kernel == Kernel::trsm ? x.A : x.C].shape};
  t.first = cols.pieces().front().lo;
  t.factor = x.factor;
  if (x.kernel == Kernel::scal) t.shape = Uplo::full;
  if (x.kernel != Kernel::trsm) return push(t, {x.C}, x.C);
  const IndexSet& order = x.side == Side::left ? rows : cols;
  t.A = block(x.A, x.op_a, order, order);
  t.conjugate_a = x.op_a == Op::adjoint;
  t.side = x.side, t.diag = x.diag;
  if (x.op_a != Op::none) t.shape = transposed(t.shape);
  push(t, {x.A, x.C}, x.C);
}

void Compiler::lower_sum(const Move& x) {
  SumExchange e;
  const auto [rows, cols] = region(s_.layout(x.dst), rank_);
  e.own = own(x);
  e.piece = s_.words(x.dst, rows, cols);
  e.buffer = program_.placement.scratch[step_];
  e.sends = exchange().sends;
  for (const Parcel& p : parcels(s_, does_[step_], rank_).receives) e.peers.push_back(static_cast<int>(p.peer));
  if (program_.transport == Transport::one_sided) e.sums = program_.placement.sums[step_];
  e.unpack = unpacked(array(x.dst), rows, cols);
  push(std::move(e), {x.src}, x.dst);
}

Program compile(const Schedule& schedule, Int rank, const std::vector<Int>& leading, Transport transport) {
  return Compiler(Lowering(schedule), rank, leading, transport).run();
}

Program compile(const Schedule& schedule, Int rank, Transport transport) {
  return compile(schedule, rank, std::vector<Int>(schedule.slots.size(), 0), transport);
}

std::vector<Program> compile_all(const Schedule& schedule) {
  const Lowering lowering(schedule);
  const std::vector<Int> dense(schedule.slots.size(), 0);
  std::vector<Program> all;
  for (Int rank = 0; rank < schedule.ranks; ++rank)
    all.push_back(Compiler(lowering, rank, dense, Transport::two_sided).run());
  return all;
}

}  // namespace cairn
