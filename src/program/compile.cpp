#include "program/compile.hpp"

#include "schedule/ahead.hpp"
#include "schedule/kernels.hpp"

namespace cairn {

Compiler::Compiler(const Schedule& s, Int rank, const std::vector<Int>& leading, Transport transport)
    : s_(s), rank_(rank), leading_(leading), does_(effects(s)), ahead_(ahead(s)) {
  program_.transport = transport;
  program_.placement = place_buffers(s, rank, transport);
}

Program Compiler::run() {
  for (const Placement::Input& i : program_.placement.inputs)
    program_.inputs.push_back({i.storage, lines(i.storage, i.rows, i.cols), i.offset});
  program_.factors = std::any_of(does_.begin(), does_.end(), [](const Effect& e) {
    return as_compute(e) && as_compute(e)->kernel == Kernel::potrf;
  });
  for (step_ = 0; step_ < does_.size(); ++step_)
    if (concerns(s_, does_[step_], rank_)) std::visit([this](const auto& x) { lower(x); }, does_[step_]);
  return std::move(program_);
}

Compiler::Array Compiler::array(Slot storage) const {
  const Layout& l = s_.layout(storage);
  Array a{l.rows_at(rank_), l.cols_at(rank_), 1, l.order};
  a.ld = std::max<Int>(1, l.order == Order::col ? a.rows.size() : a.cols.size());
  // Where a rank holds nothing, the caller's array may have been empty in the other dimension.
  if (const Int given = leading_[static_cast<std::size_t>(storage)]; given > a.ld) a.ld = given;
  return a;
}

std::vector<LocalView> Compiler::blocks(Slot x, const IndexSet& rows, const IndexSet& cols) const {
  const Slot storage = s_.storage(x);
  const Array a = array(storage);
  std::vector<LocalView> all;
  for (Run c : runs(a.cols, cols))
    for (Run r : runs(a.rows, rows)) {
      const Int offset = a.order == Order::col ? r.start + c.start * a.ld : r.start * a.ld + c.start;
      all.push_back({storage, offset, r.length, c.length, a.ld, a.order});
    }
  return all;
}

LocalView Compiler::whole(Slot x) const {
  const Layout& l = s_.layout(x);
  const std::vector<LocalView> all = blocks(x, l.rows_at(rank_), l.cols_at(rank_));
  if (!all.empty()) return all.front();  // one block: `check` proves it of views
  const Array a = array(s_.storage(x));
  return {s_.storage(x), 0, l.rows_at(rank_).size(), l.cols_at(rank_).size(), a.ld, a.order};
}

Lines Compiler::lines(Slot storage, const IndexSet& rows, const IndexSet& cols) const {
  const Array a = array(storage);
  const bool col = a.order == Order::col;
  return {col ? runs(a.rows, rows) : runs(a.cols, cols), col ? runs(a.cols, cols) : runs(a.rows, rows), a.ld};
}

Message Compiler::message(const Parcel& p) {
  const Slot storage = s_.storage(p.slot);
  return {storage, lines(storage, p.rows, p.cols), static_cast<int>(p.peer), p.words()};
}

Message Compiler::message(const Parcel& p, Int copied, bool sent) {
  Message m = message(p);
  Message::Window& w = m.window;
  w.announced = !is_input(s_, access(does_[step_]).reads[0]);
  w.copied = copied >= 0;
  if (copied >= 0) {
    w.place = program_.placement.scratch[step_] + copied;
  } else if (sent && !w.announced) {
    w.place = program_.placement.input(m.storage, p.rows, p.cols);
  } else {
    w.place = program_.placement.offset[static_cast<std::size_t>(m.storage)] + m.lines.start();
  }
  return m;
}

Exchange Compiler::exchange() {
  Exchange e;
  e.ahead = ahead_[step_] > 0;
  if (program_.transport == Transport::one_sided) {
    const CopiedParcels c = copied_parcels(s_, does_[step_], rank_);
    for (std::size_t i = 0; i < c.received.size(); ++i)
      e.receives.push_back(message(c.all.receives[i], c.received[i], false));
    for (std::size_t i = 0; i < c.sent.size(); ++i) e.sends.push_back(message(c.all.sends[i], c.sent[i], true));
  } else {
    const Parcels all = parcels(s_, does_[step_], rank_);
    for (const Parcel& p : all.receives) e.receives.push_back(message(p));
    for (const Parcel& p : all.sends) e.sends.push_back(message(p));
  }
  return e;
}

namespace {

// Where lines are cut into runs, few lines at a time: memory is then written in order, not a run of each line in turn.
void in_order(std::vector<Match>& lines, std::size_t runs) {
  constexpr Int few = 8;
  if (runs <= 1) return;
  std::vector<Match> short_ones;
  for (const Match& m : lines)
    for (Int at = 0; at < m.length; at += few)
      short_ones.push_back({m.in_a + at, m.in_b + at, std::min(few, m.length - at)});
  lines = std::move(short_ones);
}

}  // namespace

std::vector<LocalUpdate::Pair> Compiler::pairs(Slot dst, Slot src, const IndexSet& rows, const IndexSet& cols) const {
  // Cut both sides where either is cut, so that blocks pair up.
  std::vector<LocalUpdate::Pair> all;
  const Array to = array(s_.storage(dst)), from = array(s_.storage(src));
  const auto offset = [](const Array& a, Int r, Int c) { return a.order == Order::col ? r + c * a.ld : r * a.ld + c; };
  std::vector<Match> down = matches(to.rows, from.rows, rows), across = matches(to.cols, from.cols, cols);
  const auto add = [&](const Match& r, const Match& c) {
    all.push_back({{s_.storage(dst), offset(to, r.in_a, c.in_a), r.length, c.length, to.ld, to.order},
                   {s_.storage(src), offset(from, r.in_b, c.in_b), r.length, c.length, from.ld, from.order}});
  };
  const bool col = to.order == Order::col;
  in_order(col ? across : down, col ? down.size() : across.size());
  for (const Match& outer : col ? across : down)
    for (const Match& inner : col ? down : across) col ? add(inner, outer) : add(outer, inner);
  return all;
}

LocalUpdate Compiler::own(const Move& m) const {
  const Region part = travelling(s_, m, rank_, rank_);
  return {pairs(m.dst, m.src, part.rows, part.cols), m.update};
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
  const bool alone = e.receives.empty() && e.sends.empty();
  push(std::move(e), {m.src}, m.dst);
  // Beside what is being received: whoever used this memory before is waited for, as by the exchange.
  const std::vector<Range> before = alone ? std::vector<Range>() : program_.operations.back().wait;
  push(own(m), {m.src}, alone ? m.dst : -1, before);
}

LocalView Compiler::block(Slot x, Op op, const IndexSet& rows, const IndexSet& cols) const {
  const std::vector<LocalView> all = op == Op::none ? blocks(x, rows, cols) : blocks(x, cols, rows);
  if (all.size() > 1) throw RuntimeError(label(s_, step_) + ": an operand that does not lie in one block");
  LocalView v = all.empty() ? whole(x) : all.front();
  if (op == Op::none) return v;
  std::swap(v.rows, v.cols);
  v.order = v.order == Order::col ? Order::row : Order::col;
  return v;
}

void Compiler::lower(const Compute& x) {
  if (x.kernel == Kernel::gemm || x.kernel == Kernel::gemmt) return lower_product(x);
  lower_triangle(x);
}

// The elements that count: blocks of which all do, by gemm, and squares on the diagonal.
void Compiler::lower_product(const Compute& x) {
  const bool conjugate_a = x.op_a == Op::adjoint, conjugate_b = x.op_b == Op::adjoint;
  const auto [rows, cols] = region(s_.layout(x.C), rank_);
  if (x.kernel == Kernel::gemm && x.op_a == Op::none && x.op_b == Op::none)
    return push(LocalGemm{whole(x.A), whole(x.B), whole(x.C), x.update, x.factor}, {x.A, x.B}, x.C);
  const Work w = work_at(s_, x, rank_);
  const Uplo shape = x.kernel == Kernel::gemm ? Uplo::full : s_[x.C].shape;
  for (const CountedPart& p : counted_parts(shape, rows, cols)) {
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
  if (x.kernel == Kernel::potrf) return push(std::move(t), {x.C}, x.C);
  const IndexSet& order = x.side == Compute::Side::left ? rows : cols;
  t.A = block(x.A, x.op_a, order, order);
  t.conjugate_a = x.op_a == Op::adjoint;
  t.side = x.side;
  if (x.op_a != Op::none) t.shape = t.shape == Uplo::lower ? Uplo::upper : Uplo::lower;
  push(std::move(t), {x.A, x.C}, x.C);
}

void Compiler::lower_sum(const Move& x) {
  SumExchange e;
  const auto [rows, cols] = region(s_.layout(x.dst), rank_);
  e.own = own(x);
  e.piece = rows.size() * cols.size();
  e.buffer = program_.placement.scratch[step_];
  e.sends = exchange().sends;
  for (const Parcel& p : parcels(s_, does_[step_], rank_).receives) e.peers.push_back(static_cast<int>(p.peer));
  if (program_.transport == Transport::one_sided) e.sums = program_.placement.sums[step_];
  Int at = 0;
  for (LocalView block : blocks(x.dst, rows, cols)) {  // one block, as views of caller's results are
    LocalView packed{-1,         at, block.rows, block.cols, block.order == Order::col ? rows.size() : cols.size(),
                     block.order};
    e.unpack.push_back({block, packed});
    at += block.rows * block.cols;
  }
  program_.words_received += e.piece * static_cast<Int>(e.peers.size());
  program_.messages_received += static_cast<Int>(e.peers.size());
  push(std::move(e), {x.src}, x.dst);
}

Program compile(const Schedule& schedule, Int rank, const std::vector<Int>& leading, Transport transport) {
  return Compiler(schedule, rank, leading, transport).run();
}

Program compile(const Schedule& schedule, Int rank, Transport transport) {
  return compile(schedule, rank, std::vector<Int>(schedule.slots.size(), 0), transport);
}

}  // namespace cairn
