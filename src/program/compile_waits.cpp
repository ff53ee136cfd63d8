// Which requests must be complete before an operation may touch memory: receives into what it reads, and receives into
// and sends out of what it writes, also where another value lives in the same place of the arena. An exchange may be
// posted later than its turn, so that what it waits for may still be on its way at the operations after it. One that
// only sends writes nothing, and may take turns with others: a rank of a tree sends to its children one after another.
#include <algorithm>

#include "program/compile.hpp"
#include "program/messages.hpp"

namespace cairn {

const Span& Compiler::span(Slot x) {
  const auto [known, fresh] = spans_.try_emplace(x);
  Span& span = known->second;
  if (!fresh) return span;
  const Slot storage = s_.storage(x);
  const Layout& part = s_.layout(x);
  span = {storage, {0, 1}, storage, part.rows_at(rank_), part.cols_at(rank_)};
  if (s_[storage].callers()) return span;
  const Int at = program_.placement.offset[static_cast<std::size_t>(storage)];
  span.space = -1;
  span.words = {at, at + s_.words(storage, rank_)};
  return span;
}

namespace {

// Each once.
void in_order(std::vector<Range>& requests) {
  std::ranges::sort(requests);
  const auto [rest, end] = std::ranges::unique(requests);
  requests.erase(rest, end);
}

}  // namespace

void Compiler::forget(Range complete) {
  if (const auto operation = pending_.complete(complete))
    for (Range r : program_.operations[*operation].wait) forget(r);
}

void Compiler::push(decltype(Operation::what) what, std::initializer_list<Slot> reads, Slot writes,
                    std::vector<Range> before) {
  if (const auto* e = std::get_if<Exchange>(&what); e && e->receives.empty() && e->sends.empty()) return;
  if (const auto* u = std::get_if<LocalUpdate>(&what); u && u->words() == 0) return;
  Operation op{std::move(what), step_, std::move(before)};
  auto* const e = std::get_if<Exchange>(&op.what);
  for (Slot r : reads) pending_.touching(span(r), false, op.wait);
  if (writes >= 0) pending_.touching(span(writes), true, e && e->receives.empty() ? e->turn : op.wait);
  const Int at = program_.placement.scratch[step_];
  const Span buffer{-1, {at, at < 0 ? at : at + buffer_words(s_, does_[step_], rank_, program_.transport)}};
  if (at >= 0 && !std::holds_alternative<LocalUpdate>(op.what)) pending_.touching(buffer, true, op.wait);
  in_order(op.wait);
  if (!e)
    for (Range r : op.wait) forget(r);
  if (e) {
    in_order(e->turn);
    number(program_, *e);
    const auto first = static_cast<Int>(e->first_request);
    const auto received = static_cast<Int>(e->receives.size()), sent = static_cast<Int>(e->sends.size());
    const std::size_t operation = program_.operations.size();
    if (received > 0) pending_.add({{first, first + received}, span(writes), true, operation});
    if (sent > 0)
      for (Slot r : reads) pending_.add({{first + received, first + received + sent}, span(r), false, operation});
    if (at >= 0) pending_.add({{first, first + received + sent}, buffer, true, operation});  // copies
  }
  if (auto* x = std::get_if<SumExchange>(&op.what)) number(program_, *x);
  program_.operations.push_back(std::move(op));
}

}  // namespace cairn
