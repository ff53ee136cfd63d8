#include "runtime/deferred.hpp"

#include <algorithm>

namespace cairn {

namespace {

const Exchange& exchange(const Operation& op) { return std::get<Exchange>(op.what); }

}  // namespace

void Deferred::post(const Operation& op) {
  waiting_.push_back(&op);
  advance();
}

void Deferred::advance() {
  while (!waiting_.empty() && ready(*waiting_.front())) {
    const Operation& op = *waiting_.front();
    for (Range r : op.wait) wire_.wait(r);
    wire_.post(exchange(op), op.step);
    waiting_.pop_front();
  }
}

void Deferred::wait(const std::vector<Range>& requests) {
  for (Range r : requests) {
    for (advance(); !waiting_.empty() && !complete(r); advance()) wait_any(r);
    wire_.wait(r);
  }
}

void Deferred::flush() {
  for (advance(); !waiting_.empty(); advance()) wait_any({0, 0});
}

void Deferred::send_on() {
  const auto has_its_data = [this](const Operation* op) { return this->has_its_data(*op); };
  for (advance(); std::any_of(waiting_.begin(), waiting_.end(), has_its_data); advance()) wait_any({0, 0});
}

bool Deferred::has_its_data(const Operation& op) const {
  for (Range range : op.wait)
    for (Int r = range.lo; r < range.hi; ++r)
      if (!program_.sends[static_cast<std::size_t>(r)] && !complete({r, r + 1})) return false;
  return true;
}

// All that an exchange waits for belongs to those before it, which are posted.
bool Deferred::ready(const Operation& op) const {
  return std::all_of(op.wait.begin(), op.wait.end(), [&](Range r) { return wire_.complete(r); });
}

bool Deferred::complete(Range requests) const { return posted(requests) && wire_.complete(requests); }

bool Deferred::posted(Range requests) const {
  return waiting_.empty() || requests.hi <= static_cast<Int>(exchange(*waiting_.front()).first_request);
}

void Deferred::wait_any(Range range) {
  watched_ = waiting_.front()->wait;
  if (posted(range)) watched_.push_back(range);
  wire_.wait_any(watched_);
}

}  // namespace cairn
