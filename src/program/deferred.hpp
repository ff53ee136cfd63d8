// Exchanges that wait for messages without keeping the core: they are posted once those are there, in the order of the
// program, but that panels of later rounds hold up nothing (schedule/ahead.hpp). So a tree goes on while its ranks
// multiply, as far as they look after it, and a rank sends one message of a tree after another to other nodes, each at
// the full rate of its port.
#pragma once
#include <algorithm>
#include <deque>
#include <map>
#include <vector>

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
    parked_.clear();
    firm_.clear();
    held_.assign(program_.requests, 0);
  }
  /// Post the exchange of an operation: now, or once what it waits for is complete and those before it that hold it up
  /// are posted.
  void post(const Operation& op) {
    waiting_.push_back({&op});
    if (!exchange(op).ahead) firm_.push_back(&op);
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
      for (advance(); !empty() && !complete(r); advance()) co_await wait_any(r);
      co_await wire_.wait(r);
    }
  }
  /// Wait as long as there is an exchange that has its data, so that only messages of others must go before it:
  /// somebody is about to wait for it, and a product would keep it back.
  Task send_on() {
    for (advance(); any_has_its_data(); advance()) co_await wait_any({0, 0});
  }
  /// Post everything.
  Task flush() {
    for (advance(); !empty(); advance()) co_await wait_any({0, 0});
  }
  /// What is parked waits for something that is not.
  bool empty() const { return waiting_.empty(); }

 private:
  struct Waiting {
    const Operation* op;
    std::size_t waited = 0, turned = 0;  // how much of op->wait, and of its exchange's turn, is known to be complete
    Int missed = -1;                     // the first request of what is not, once it was looked at
  };

  // Posts what is ready now. Whether some of it overtook others: these may have become ready since they were looked at,
  // by a message that whoever overtook them waited for as well; nobody will hear of that message again.
  bool pass() {
    bool overtaken = false, again = false;
    for (std::size_t i = 0; i < waiting_.size() && may_go(waiting_[i]);) {
      if (!ready(waiting_[i])) {
        overtaken = true;
        if (held(waiting_[i].missed))
          park(i);
        else
          ++i;
        continue;
      }
      const Operation& op = *waiting_[i].op;
      drop(i);
      for (Range r : op.wait) wire_.settle(r);
      hold(exchange(op), false);
      unpark(exchange(op));
      if (!exchange(op).ahead) firm_.pop_front();
      wire_.post(exchange(op), op.step);
      again = overtaken;
    }
    return again;
  }
  bool may_go(const Waiting& w) const { return firm_.empty() || w.op <= firm_.front(); }
  void drop(std::size_t i) { waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i)); }

  // What waits for a message that waits itself is not looked at before that one is posted.
  void park(std::size_t i) {
    parked_.emplace(waiting_[i].missed, waiting_[i]);
    drop(i);
  }
  void unpark(const Exchange& x) {
    const auto before = [](const Waiting& a, const Waiting& b) { return a.op < b.op; };
    const auto first = parked_.lower_bound(requests(x).lo), last = parked_.lower_bound(requests(x).hi);
    for (auto at = first; at != last; ++at)
      waiting_.insert(std::upper_bound(waiting_.begin(), waiting_.end(), at->second, before), at->second);
    parked_.erase(first, last);
  }

  static const Exchange& exchange(const Operation& op) { return std::get<Exchange>(op.what); }
  static Range requests(const Exchange& x) {
    const auto first = static_cast<Int>(x.first_request);
    return {first, first + static_cast<Int>(x.receives.size() + x.sends.size())};
  }

  bool any_has_its_data() {
    return std::any_of(waiting_.begin(), waiting_.end(), [this](const Waiting& w) { return has_its_data(w); }) ||
           std::any_of(parked_.begin(), parked_.end(), [this](const auto& w) { return has_its_data(w.second); });
  }
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
      if (held(r)) return false;
    return true;
  }
  bool held(Int request) const { return held_[static_cast<std::size_t>(request)] != 0; }
  void hold(const Exchange& x, bool held) {
    const Range r = requests(x);
    std::fill(held_.begin() + r.lo, held_.begin() + r.hi, static_cast<char>(held));
  }
  /// Until something happens for which `range` or an exchange that may be the next waits: of each, the first request
  /// that was not complete when it was looked at.
  auto wait_any(Range range) {
    watched_.clear();
    for (std::size_t i = 0; i < waiting_.size() && may_go(waiting_[i]); ++i)
      watched_.push_back({waiting_[i].missed, waiting_[i].missed + 1});
    if (posted(range)) watched_.push_back(range);
    return wire_.wait_any(watched_);
  }

  const Program& program_;
  Wire& wire_;
  std::vector<Waiting> waiting_;        ///< in program order
  std::multimap<Int, Waiting> parked_;  ///< those that wait for a request that is held, by this request
  std::deque<const Operation*> firm_;   ///< which of both may not be overtaken, in program order
  std::vector<char> held_;  ///< by request: whether of an exchange that is not posted; bits are slower to look at
  std::vector<Range> watched_;
};

}  // namespace cairn
