// Exchanges that wait for messages without keeping the core: they are posted once those are there, in the order of the
// program, but that panels of later rounds hold up nothing (schedule/ahead.hpp). So a tree goes on while its ranks
// multiply, as far as they look after it, and a rank sends one message of a tree after another to other nodes, each at
// the full rate of its port.
#pragma once
#include <algorithm>
#include <deque>
#include <iterator>

#include "program/program.hpp"
#include "program/task.hpp"

namespace cairn {

/// `Wire` as program/follower.hpp says.
template <class Wire>
class Deferred {
 public:
  Deferred(const Program& program, Wire& wire) : program_(program), wire_(wire) {}

  /// Start of a run; what one that failed has left is not posted any more.
  void begin() {
    for (const Operation* op : waiting_) hold(exchange(*op), false);
    waiting_.clear();
  }
  /// Post the exchange of an operation: now, or once what it waits for is complete and those before it that hold it up
  /// are posted.
  void post(const Operation& op) {
    waiting_.push_back(&op);
    hold(exchange(op), true);
    advance();
  }
  /// Post what has become ready. Lets the library move data.
  void advance() {
    while (pass()) {
    }
  }
  /// Complete requests. Whatever is waited for, all that is deferred goes on: others may wait for it.
  Task wait(const std::vector<Range>& requests) {
    for (Range r : requests) {
      for (advance(); !waiting_.empty() && !complete(r); advance()) co_await wait_any(r);
      co_await wire_.wait(r);
    }
  }
  /// Wait as long as there is an exchange that has its data, so that only messages of others must go before it:
  /// somebody is about to wait for it, and a product would keep it back.
  Task send_on() {
    const auto has_its_data = [this](const Operation* op) { return this->has_its_data(*op); };
    for (advance(); std::any_of(waiting_.begin(), waiting_.end(), has_its_data); advance()) co_await wait_any({0, 0});
  }
  /// Post everything.
  Task flush() {
    for (advance(); !waiting_.empty(); advance()) co_await wait_any({0, 0});
  }
  bool empty() const { return waiting_.empty(); }

 private:
  // Posts what is ready now. Whether some of it overtook others: these may have become ready since they were looked at,
  // by a message that whoever overtook them waited for as well; nobody will hear of that message again.
  bool pass() {
    bool overtaken = false, again = false;
    for (auto at = waiting_.begin(); at != waiting_.end();) {
      const Operation& op = **at;
      if (ready(op)) {
        for (Range r : op.wait) wire_.settle(r);
        hold(exchange(op), false);
        wire_.post(exchange(op), op.step);
        at = waiting_.erase(at);
        again = overtaken;
      } else {
        if (!exchange(op).ahead) return again;
        overtaken = true;
        ++at;
      }
    }
    return again;
  }
  static const Exchange& exchange(const Operation& op) { return std::get<Exchange>(op.what); }

  bool has_its_data(const Operation& op) {
    for (Range range : op.wait)
      for (Int r = range.lo; r < range.hi; ++r)
        if (!program_.sends[static_cast<std::size_t>(r)] && !complete({r, r + 1})) return false;
    return true;
  }
  // Within a node no port is shared, and a message may leave only when its receiver looks after it.
  bool ready(const Operation& op) {
    const Exchange& x = exchange(op);
    return complete(op.wait) && (x.turn.empty() || !wire_.leaves_node(x) || complete(x.turn));
  }
  bool complete(const std::vector<Range>& all) {
    return std::all_of(all.begin(), all.end(), [&](Range r) { return complete(r); });
  }
  bool complete(Range requests) { return posted(requests) && wire_.complete(requests); }
  bool posted(Range requests) const {
    const auto end = std::min(static_cast<std::size_t>(requests.hi), held_.size());
    for (auto r = static_cast<std::size_t>(requests.lo); r < end; ++r)
      if (held_[r]) return false;
    return true;
  }
  void hold(const Exchange& x, bool held) {
    const std::size_t end = x.first_request + x.receives.size() + x.sends.size();
    if (held_.size() < end) held_.resize(end, false);
    std::fill(held_.begin() + static_cast<std::ptrdiff_t>(x.first_request),
              held_.begin() + static_cast<std::ptrdiff_t>(end), held);
  }
  /// Until something happens for which `range` or an exchange that may be the next waits.
  auto wait_any(Range range) {
    watched_.clear();
    for (const Operation* op : waiting_) {
      for (const std::vector<Range>* all : {&op->wait, &exchange(*op).turn})
        std::copy_if(all->begin(), all->end(), std::back_inserter(watched_), [&](Range r) { return posted(r); });
      if (!exchange(*op).ahead) break;
    }
    if (posted(range)) watched_.push_back(range);
    return wire_.wait_any(watched_);
  }

  const Program& program_;
  Wire& wire_;
  std::deque<const Operation*> waiting_;  ///< in program order
  std::vector<bool> held_;                ///< by request: of an exchange in waiting_
  std::vector<Range> watched_;
};

}  // namespace cairn
