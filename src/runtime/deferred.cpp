#include "runtime/deferred.hpp"

#include <algorithm>

namespace cairn {

namespace {

// Tags repeat after 32768 steps.
constexpr std::size_t most_steps_apart = 16384;

const Exchange& exchange(const Operation& op) { return std::get<Exchange>(op.what); }

Range requests_of(const Exchange& x) {
  const auto first = static_cast<Int>(x.first_request);
  return {first, first + static_cast<Int>(x.receives.size() + x.sends.size())};
}

}  // namespace

void Deferred::post(const Operation& op) {
  if (!waiting_.empty() && op.step > waiting_.front()->step + most_steps_apart) flush();
  if (ready(op))
    post_now(op);
  else
    waiting_.push_back(&op);
}

void Deferred::advance() {
  std::size_t kept = 0;
  // One that is posted may be what a later one waits for.
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const Operation* op = waiting_[i];
    waiting_[i] = nullptr;
    if (ready(*op))
      post_now(*op);
    else
      waiting_[kept++] = op;
  }
  waiting_.resize(kept);
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

bool Deferred::ready(const Operation& op) const {
  return std::all_of(op.wait.begin(), op.wait.end(), [&](Range r) { return complete(r); });
}

bool Deferred::complete(Range requests) const { return posted(requests) && wire_.complete(requests); }

bool Deferred::posted(Range requests) const {
  return std::none_of(waiting_.begin(), waiting_.end(), [&](const Operation* op) {
    return op && !intersect(requests_of(exchange(*op)), requests).empty();
  });
}

void Deferred::post_now(const Operation& op) {
  for (Range r : op.wait) wire_.wait(r);
  wire_.post(exchange(op), op.step);
}

void Deferred::wait_any(Range range) {
  watched_.clear();
  if (posted(range)) watched_.push_back(range);
  for (const Operation* op : waiting_)
    for (Range r : op->wait)
      if (posted(r)) watched_.push_back(r);
  wire_.wait_any(watched_);
}

}  // namespace cairn
