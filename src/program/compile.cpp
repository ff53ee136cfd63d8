#include "program/compile.hpp"

#include <fmt/format.h>

#include "program/messages.hpp"
#include "schedule/ahead.hpp"

namespace cairn {

Compiler::Compiler(const Schedule& s, Int rank, const std::vector<Int>& leading, Transport transport)
    : s_(s), rank_(rank), leading_(leading), does_(effects(s)), ahead_(ahead(s)) {
  program_.transport = transport;
  program_.placement = place_buffers(s, rank, transport);
}

Program Compiler::run() {
  for (const Placement::Input& i : program_.placement.inputs)
    program_.inputs.push_back({i.storage, lines(array(i.storage), i.rows, i.cols), i.offset});
  for (step_ = 0; step_ < does_.size(); ++step_)
    if (concerns(s_, does_[step_], rank_)) std::visit([this](const auto& x) { lower(x); }, does_[step_]);
  count_arrivals(program_, [](int) { return false; });
  return std::move(program_);
}

Array Compiler::array(Slot x) const {
  const Slot storage = s_.storage(x);
  const Layout& l = s_.layout(storage);
  Array a{storage, 0, l.rows_at(rank_), l.cols_at(rank_), 1, l.order};
  a.ld = std::max<Int>(1, l.order == Order::col ? a.rows.size() : a.cols.size());
  // Where a rank holds nothing, the caller's array may have been empty in the other dimension.
  if (const Int given = leading_[static_cast<std::size_t>(storage)]; given > a.ld) a.ld = given;
  return a;
}

LocalView Compiler::whole(Slot x) const {
  const Region all = region(s_.layout(x), rank_);
  const Array a = array(x);
  const std::vector<LocalView> found = blocks(a, all.rows, all.cols);
  if (!found.empty()) return found.front();  // one block: `check` proves it of views
  return a.view({0, all.rows.size()}, {0, all.cols.size()});
}

Message Compiler::message(const Parcel& p) {
  const Array a = array(p.slot);
  return {a.storage, lines(a, p.rows, p.cols), static_cast<int>(p.peer), p.words()};
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

LocalUpdate Compiler::own(const Move& m) const {
  const Region part = travelling(s_, m, rank_, rank_);
  return {pairs(array(m.dst), array(m.src), part.rows, part.cols), m.update};
}

void Compiler::lower(const Move& m) {
  if (!m.is_direct(s_.grid))
    throw RuntimeError(fmt::format("a {} reached the executor: expand_collectives comes first",
                                   m.from == Move::From::root ? "Bcast" : "Reduce"));
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

void Compiler::lower(const Gemm& x) { push(LocalGemm{whole(x.A), whole(x.B), whole(x.C), x.update}, {x.A, x.B}, x.C); }

void Compiler::lower_sum(const Move& x) {
  SumExchange e;
  const auto [rows, cols] = region(s_.layout(x.dst), rank_);
  e.own = own(x);
  e.piece = rows.size() * cols.size();
  e.buffer = program_.placement.scratch[step_];
  e.sends = exchange().sends;
  for (const Parcel& p : parcels(s_, does_[step_], rank_).receives) e.peers.push_back(static_cast<int>(p.peer));
  if (program_.transport == Transport::one_sided) e.sums = program_.placement.sums[step_];
  e.unpack = unpacked(array(x.dst), rows, cols);
  push(std::move(e), {x.src}, x.dst);
}

Program compile(const Schedule& schedule, Int rank, const std::vector<Int>& leading, Transport transport) {
  return Compiler(schedule, rank, leading, transport).run();
}

Program compile(const Schedule& schedule, Int rank, Transport transport) {
  return compile(schedule, rank, std::vector<Int>(schedule.slots.size(), 0), transport);
}

}  // namespace cairn
