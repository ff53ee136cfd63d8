#include "runtime/deferred.hpp"

#include <algorithm>
#include <iterator>

namespace cairn {

namespace {

const Exchange& exchange(const Operation& op) { return std::get<Exchange>(op.what); }

}  // namespace

void Deferred::post(const Operation& op) {
  waiting_.push_back(&op);
  advance();
}

void Deferred::advance() {
  for (auto at = waiting_.begin(); at != waiting_.end();) {
    const Operation& op = **at;
    if (!ready(op)) {
      if (!exchange(op).ahead) return;
      ++at;
      continue;
    }
    for (Range r : op.wait) wire_.wait(r);
    wire_.post(exchange(op), op.step);
    at = waiting_.erase(at);
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

bool Deferred::ready(const Operation& op) const {
  return std::all_of(op.wait.begin(), op.wait.end(), [&](Range r) { return complete(r); });
}

bool Deferred::complete(Range requests) const { return posted(requests) && wire_.complete(requests); }

bool Deferred::posted(Range requests) const {
  return std::none_of(waiting_.begin(), waiting_.end(), [&](const Operation* op) {
    const Exchange& x = exchange(*op);
    const auto first = static_cast<Int>(x.first_request);
    return !intersect(requests, {first, first + static_cast<Int>(x.receives.size() + x.sends.size())}).empty();
  });
}

void Deferred::wait_any(Range range) {
  watched_.clear();
  for (const Operation* op : waiting_) {
    std::copy_if(op->wait.begin(), op->wait.end(), std::back_inserter(watched_), [&](Range r) { return posted(r); });
    if (!exchange(*op).ahead) break;
  }
  if (posted(range)) watched_.push_back(range);
  wire_.wait_any(watched_);
}

}  // namespace cairn
