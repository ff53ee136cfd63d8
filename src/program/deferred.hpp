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
    waiting_.clear();
    held_.assign(program_.requests, 0);
  }
  /// Post the exchange of an operation: now, or once what it waits for is complete and those before it that hold it up
  /// are posted.
  void post(const Operation& op) {
    waiting_.push_back({&op, exchange(op).ahead});
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
    bool ahead;                          // as its exchange says: all that is looked at again and again stands here
    std::size_t waited = 0, turned = 0;  // how much of op->wait, and of its exchange's turn, is known to be complete
    Int missed = -1;                     // the first request of what is not, once it was looked at
  };

  // Posts what is ready now. Whether some of it overtook others: these may have become ready since they were looked at,
  // by a message that whoever overtook them waited for as well; nobody will hear of that message again.
  bool pass() {
    bool overtaken = false, again = false;
    for (auto at = waiting_.begin(); at != waiting_.end();) {
      if (ready(*at)) {
        const Operation& op = *at->op;
        for (Range r : op.wait) wire_.settle(r);
        hold(exchange(op), false);
        wire_.post(exchange(op), op.step);
        at = waiting_.erase(at);
        again = overtaken;
      } else {
        if (!at->ahead) return again;
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
        if (!program_.sends[static_cast<std::size_t>(r)] && !complete(r)) return false;
    return true;
  }
  // Within a node no port is shared, and a message may leave only when its receiver looks after it.
  bool ready(Waiting& w) {
    if (w.missed >= 0 && !complete(w.missed)) return false;
    if (w.missed >= 0) ++w.missed;
    const Exchange& x = exchange(*w.op);
    return complete(w.op->wait, w.waited, w.missed) &&
           (x.turn.empty() || !wire_.leaves_node(x) || complete(x.turn, w.turned, w.missed));
  }
  // Goes on where it was left.
  bool complete(const std::vector<Range>& all, std::size_t& known, Int& missed) {
    for (; known < all.size(); ++known, missed = -1)
      for (Int r = std::max(all[known].lo, missed); r < all[known].hi; ++r)
        if (!complete(r)) {
          missed = r;
          return false;
        }
    return true;
  }
  bool complete(Range requests) { return posted(requests) && wire_.complete(requests); }
  bool complete(Int request) { return complete(Range{request, request + 1}); }
  bool posted(Range requests) const {
    for (Int r = requests.lo; r < requests.hi; ++r)
      if (held_[static_cast<std::size_t>(r)] != 0) return false;
    return true;
  }
  void hold(const Exchange& x, bool held) {
    const auto first = held_.begin() + static_cast<std::ptrdiff_t>(x.first_request);
    std::fill_n(first, x.receives.size() + x.sends.size(), static_cast<char>(held));
  }
  /// Until something happens for which `range` or an exchange that may be the next waits: of each, the first request
  /// that was not complete when it was looked at.
  auto wait_any(Range range) {
    watched_.clear();
    const auto watch = [this](Range r) {
      if (posted(r)) watched_.push_back(r);
    };
    for (const Waiting& w : waiting_) {
      watch({w.missed, w.missed + 1});
      if (!w.ahead) break;
    }
    watch(range);
    return wire_.wait_any(watched_);
  }

  const Program& program_;
  Wire& wire_;
  std::deque<Waiting> waiting_;  ///< in program order
  std::vector<char> held_;       ///< by request: whether of an exchange in waiting_; bits are slower to look at
  std::vector<Range> watched_;
};

}  // namespace cairn
