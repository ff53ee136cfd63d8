// Exchanges that wait for messages without keeping the core: they are posted once those are there, in the order of the
// program, but that panels of later rounds hold up nothing (schedule/ahead.hpp). So a tree goes on while its ranks
// multiply, as far as they look after it, and a rank sends one message of a tree after another to other nodes, each at
// the full rate of its port.
#pragma once
#include <algorithm>
#include <deque>

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
    for (const Waiting& w : waiting_) hold(exchange(*w.op), false);
    waiting_.clear();
  }
  /// Post the exchange of an operation: now, or once what it waits for is complete and those before it that hold it up
  /// are posted.
  void post(const Operation& op) {
    waiting_.push_back({&op});
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
    const auto has_its_data = [this](const Waiting& w) { return this->has_its_data(w); };
    for (advance(); std::any_of(waiting_.begin(), waiting_.end(), has_its_data); advance()) co_await wait_any({0, 0});
  }
  /// Post everything.
  Task flush() {
    for (advance(); !waiting_.empty(); advance()) co_await wait_any({0, 0});
  }
  bool empty() const { return waiting_.empty(); }

 private:
  struct Waiting {
    const Operation* op;
    std::size_t waited = 0, turned = 0;  // how much of op->wait, and of its exchange's turn, is known to be complete
  };

  // Posts what is ready now. Whether some of it overtook others: these may have become ready since they were looked at,
  // by a message that whoever overtook them waited for as well; nobody will hear of that message again.
  bool pass() {
    bool overtaken = false, again = false;
    for (auto at = waiting_.begin(); at != waiting_.end();) {
      const Operation& op = *at->op;
      if (ready(*at)) {
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

  bool has_its_data(const Waiting& w) {
    for (std::size_t i = w.waited; i < w.op->wait.size(); ++i)
      for (Int r = w.op->wait[i].lo; r < w.op->wait[i].hi; ++r)
        if (!program_.sends[static_cast<std::size_t>(r)] && !complete({r, r + 1})) return false;
    return true;
  }
  // Within a node no port is shared, and a message may leave only when its receiver looks after it.
  bool ready(Waiting& w) {
    const Exchange& x = exchange(*w.op);
    return complete(w.op->wait, w.waited) && (x.turn.empty() || !wire_.leaves_node(x) || complete(x.turn, w.turned));
  }
  bool complete(const std::vector<Range>& all, std::size_t& known) {
    while (known < all.size() && complete(all[known])) ++known;
    return known == all.size();
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
  /// Until something happens for which `range` or an exchange that may be the next waits: of each, the first thing that
  /// was not complete when it was looked at.
  auto wait_any(Range range) {
    watched_.clear();
    const auto watch = [this](Range r) {
      if (posted(r)) watched_.push_back(r);
    };
    for (const Waiting& w : waiting_) {
      const Exchange& x = exchange(*w.op);
      if (w.waited < w.op->wait.size())
        watch(w.op->wait[w.waited]);
      else if (w.turned < x.turn.size())
        watch(x.turn[w.turned]);
      if (!x.ahead) break;
    }
    watch(range);
    return wire_.wait_any(watched_);
  }

  const Program& program_;
  Wire& wire_;
  std::deque<Waiting> waiting_;  ///< in program order
  std::vector<bool> held_;       ///< by request: of an exchange in waiting_
  std::vector<Range> watched_;
};

}  // namespace cairn
