// Which requests must be complete before an operation may touch memory: receives into what it reads, and receives into
// and sends out of what it writes, also where another value lives in the same place of the arena. An exchange may be
// posted later than its turn, so that what it waits for may still be on its way at the operations after it. One that
// only sends writes nothing, and may take turns with others: a rank of a tree sends to its children one after another.
#include <algorithm>

#include "program/compile.hpp"
#include "program/messages.hpp"

namespace cairn {

// Two parts of one slot meet where they share elements, so that a pipeline's segments do not wait for each other.
const Compiler::Span& Compiler::span(Slot x) {
  const auto [known, fresh] = spans_.try_emplace(x);
  Span& span = known->second;
  if (!fresh) return span;
  const Slot storage = s_.storage(x);
  const Layout& part = s_.layout(x);
  span = {storage, 0, 1, storage, part.rows_at(rank_), part.cols_at(rank_)};
  if (s_[storage].callers()) return span;
  span.space = -1;
  span.lo = program_.placement.offset[static_cast<std::size_t>(storage)];
  span.hi = span.lo + s_.words(storage, rank_);
  return span;
}

void Compiler::wait_for(std::vector<Range>& wait, const Span& span, bool writes) const {
  for (const auto& [storage, all] : pending_) {
    const Span& one = all.front().span;  // a storage has one place
    if (storage >= 0 && !one.same_storage(span) && !one.same_place(span)) continue;
    for (const Pending& p : all) {
      if (!(writes || p.writes) || !p.span.meets(span)) continue;
      if (std::find(wait.begin(), wait.end(), p.requests) == wait.end()) wait.push_back(p.requests);
    }
  }
}

void Compiler::expect(Pending pending) {
  const Range requests = pending.requests;
  std::list<Pending>& same = pending_[pending.span.storage];
  by_requests_.emplace(requests, same.insert(same.end(), std::move(pending)));
}

void Compiler::forget(Range complete) {
  std::vector<Range> before;
  const auto [first, last] = by_requests_.equal_range(complete);
  for (auto at = first; at != last; ++at) {
    before.insert(before.end(), at->second->before.begin(), at->second->before.end());
    const auto same = pending_.find(at->second->span.storage);
    same->second.erase(at->second);
    if (same->second.empty()) pending_.erase(same);
  }
  by_requests_.erase(first, last);
  for (Range r : before) forget(r);
}

void Compiler::push(decltype(Operation::what) what, std::initializer_list<Slot> reads, Slot writes,
                    std::vector<Range> before) {
  if (const auto* e = std::get_if<Exchange>(&what); e && e->receives.empty() && e->sends.empty()) return;
  if (const auto* u = std::get_if<LocalUpdate>(&what); u && u->pairs.empty()) return;
  Operation op{std::move(what), step_, std::move(before)};
  auto* const e = std::get_if<Exchange>(&op.what);
  for (Slot r : reads) wait_for(op.wait, span(r), false);
  if (writes >= 0) wait_for(e && e->receives.empty() ? e->turn : op.wait, span(writes), true);
  const Int at = program_.placement.scratch[step_];
  const Span buffer{-1, at, at < 0 ? at : at + buffer_words(s_, does_[step_], rank_, program_.transport)};
  if (at >= 0 && !std::holds_alternative<LocalUpdate>(op.what)) wait_for(op.wait, buffer, true);
  if (!e)
    for (Range r : op.wait) forget(r);
  if (e) {
    number(program_, *e);
    const auto first = static_cast<Int>(e->first_request);
    const auto received = static_cast<Int>(e->receives.size()), sent = static_cast<Int>(e->sends.size());
    if (received > 0) expect({{first, first + received}, span(writes), true, op.wait});
    if (sent > 0)
      for (Slot r : reads) expect({{first + received, first + received + sent}, span(r), false, op.wait});
    if (at >= 0) expect({{first, first + received + sent}, buffer, true, op.wait});  // copies
  }
  if (auto* x = std::get_if<SumExchange>(&op.what)) number(program_, *x);
  program_.operations.push_back(std::move(op));
}

}  // namespace cairn
