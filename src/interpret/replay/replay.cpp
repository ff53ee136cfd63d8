#include "interpret/replay/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <queue>
#include <unordered_map>

#include "cairn/error.hpp"
#include "interpret/replay/network.hpp"
#include "interpret/replay/rank.hpp"
#include "interpret/totals.hpp"

namespace cairn {

namespace {

using Rank = SimulatedRank;

class Replay {
 public:
  Replay(const Schedule& s, const std::vector<Program>& programs, const Machine& machine, ScalarType type,
         const Watch& watch)
      : s_(s),
        machine_(machine),
        shared_(machine.shared.value_or(Machine::Shared{})),
        type_(type),
        watch_(watch),
        bytes_(static_cast<double>(size_of(type))),
        ranks_(static_cast<std::size_t>(s.ranks)),
        network_(s.ranks) {
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      ranks_[r].number = static_cast<Int>(r);
      ranks_[r].program = &programs[r];
      ranks_[r].requests.assign(programs[r].requests, Rank::Request::none);
    }
  }

  Timing run() {
    for (Rank& r : ranks_) r.task.emplace(carry_out(r)).start();
    while (true) {
      const double through = network_.next();
      if (!events_.empty() && events_.top().time < through) {
        const Event e = events_.top();
        events_.pop();
        now_ = e.time;
        if (e.resume)
          e.resume.resume();
        else
          set_off(e.message);
      } else if (through < std::numeric_limits<double>::infinity()) {
        now_ = through;
        arrive(travelling_[network_.finish()]);
      } else {
        break;
      }
    }
    for (const Rank& r : ranks_)
      if (!r.task->done()) throw ScheduleError(fmt::format("{}: ranks wait for each other", label(s_, r.step())));
    return totals(
        static_cast<std::size_t>(s_.grid.size()), [&](std::size_t r) { return times_of(ranks_[r]); },
        [](std::size_t) { return 1; });
  }

 private:
  struct Message {
    Int from, to;
    std::size_t send, receive, step;  // requests of the two
    Int words;
    double ready;
  };
  struct Half {
    std::size_t request;
    bool sends;
  };
  struct Event {
    double time;
    std::size_t order;  // of equal times
    std::coroutine_handle<> resume;
    std::size_t message;
    bool operator<(const Event& o) const { return time != o.time ? time > o.time : order > o.order; }
  };

  // --- what a rank can wait for

  struct Pause {
    Replay& replay;
    double seconds;
    bool await_ready() const { return seconds <= 0; }
    void await_suspend(std::coroutine_handle<> h) const { replay.schedule(replay.now_ + seconds, h, 0); }
    void await_resume() const {}
  };
  struct Until {
    Replay& replay;
    Rank& r;
    std::function<bool()> holds;
    double since = -1;
    bool await_ready() const { return holds(); }
    void await_suspend(std::coroutine_handle<> h) {
      since = replay.now_;
      r.until = holds;
      r.waits = h;
    }
    void await_resume() const {
      if (since >= 0) replay.report(Activity::Kind::wait, r, since, r.last_from);
    }
  };
  struct Reached {
    Replay& replay;
    Rank &r, &peer;
    Int phase;
    double since = -1;
    bool await_ready() const { return peer.phase >= phase; }
    void await_suspend(std::coroutine_handle<> h) {
      since = replay.now_;
      peer.awaited.push_back({h, phase});
    }
    void await_resume() const {
      if (since >= 0) replay.report(Activity::Kind::wait, r, since, peer.number);
    }
  };
  Pause work(Rank& r, double seconds) {
    r.working += seconds;
    return {*this, seconds};
  }
  Until complete(Rank& r, const std::vector<Range>& requests) {
    return {*this, r, [&r, &requests] { return r.complete(requests); }};
  }
  Until complete(Rank& r, std::size_t request) {
    const Range one{static_cast<Int>(request), static_cast<Int>(request + 1)};
    return {*this, r, [&r, one] { return r.complete(one); }};
  }
  Until all_posted(Rank& r) {
    return {*this, r, [&r] { return r.deferred.empty(); }};
  }
  void schedule(double time, std::coroutine_handle<> h, std::size_t message) {
    events_.push({time, order_++, h, message});
  }

  // --- the executor

  Task carry_out(Rank& r) {
    for (r.at = 0; r.at < r.program->operations.size(); ++r.at) {
      const Operation& op = r.program->operations[r.at];
      if (const auto* x = std::get_if<Exchange>(&op.what)) {
        co_await work(r, own_work(r, *x));
        r.deferred.push_back(&op);
        advance(r);
        continue;
      }
      advance(r);
      if (!std::holds_alternative<LocalUpdate>(op.what) && !std::holds_alternative<LocalGemm>(op.what))
        co_await all_posted(r);
      co_await complete(r, op.wait);
      if (const auto* x = std::get_if<LocalUpdate>(&op.what))
        co_await work(r, machine_.step_seconds + copy(*x) + far_seconds(op));
      if (const auto* x = std::get_if<LocalGemm>(&op.what)) {
        co_await sent_on(r);
        co_await multiply(r, *x);
      }
      if (const auto* x = std::get_if<Meet>(&op.what)) co_await meet(r, *x);
      if (const auto* x = std::get_if<SumExchange>(&op.what)) co_await sum(r, *x);
      if (const auto* x = std::get_if<Reshuffle>(&op.what)) co_await reshuffle(r, *x);
    }
    if (r.at > 0) --r.at;
    advance(r);
    co_await all_posted(r);
    co_await Until{*this, r, [&r] { return r.complete({0, static_cast<Int>(r.program->requests)}); }};
    r.end = now_;
  }

  // In pieces while something is deferred, to look after it in between.
  Task multiply(Rank& r, const LocalGemm& x) {
    const double seconds =
        (product(x) + far_seconds(r.program->operations[r.at])) / static_cast<double>(std::max<Int>(1, x.C.cols));
    for (Int lo = 0; lo < x.C.cols;) {
      advance(r);
      const Int cols = !r.deferred.empty() && lo + 2 * x.piece <= x.C.cols ? x.piece : x.C.cols - lo;
      const double start = now_, takes = seconds * static_cast<double>(cols);
      co_await Pause{*this, takes};
      r.computing += takes;
      report(Activity::Kind::multiply, r, start, r.number);
      lo += cols;
    }
    co_await work(r, machine_.step_seconds);
  }

  Task meet(Rank& r, const Meet& x) {
    r.phase = x.reach;
    std::erase_if(r.awaited, [&](const Rank::Meeting& m) {
      if (m.phase > r.phase) return false;
      schedule(now_, m.waits, 0);
      return true;
    });
    if (!x.peers.empty()) co_await work(r, shared_.wait_seconds);
    for (const Meet::Peer& p : x.peers) co_await Reached{*this, r, rank(p.rank), p.phase};
  }

  // Two pieces at a time, from one peer after another.
  Task sum(Rank& r, const SumExchange& x) {
    constexpr std::size_t window = SumExchange::window;
    const std::size_t base = r.more_requests(x.peers.size() + x.sends.size()), step = r.step();
    double overheads = 0;
    for (int peer : x.peers) overheads += level(r.number, peer).overhead_seconds;
    for (const cairn::Message& m : x.sends) overheads += level(r.number, m.peer).overhead_seconds;
    co_await work(r, machine_.step_seconds + overheads);
    const auto receive = [&](std::size_t t) {
      if (t % window == 0) r.receiving += level(r.number, x.peers[t]).latency_seconds;
      post(r, {base + t, false}, x.peers[t], step, x.piece);
    };
    for (std::size_t t = 0; t < std::min(window, x.peers.size()); ++t) receive(t);
    for (std::size_t i = 0; i < x.sends.size(); ++i)
      post(r, {base + x.peers.size() + i, true}, x.sends[i].peer, step, x.sends[i].words);
    co_await work(r, copy(x.own));
    for (std::size_t t = 0; t < x.peers.size(); ++t) {
      co_await complete(r, base + t);
      co_await work(r, copy_seconds(x.piece));
      if (t + window < x.peers.size()) receive(t + window);
    }
    for (std::size_t i = 0; i < x.sends.size(); ++i) co_await complete(r, base + x.peers.size() + i);
  }

  Task reshuffle(Rank& r, const Reshuffle& x) {
    const std::size_t base = r.more_requests(x.receives.size() + x.sends.size()), step = r.step();
    const auto overhead = [&](const Reshuffle::Parcel& p) { return level(r.number, p.peer).overhead_seconds; };
    co_await work(r, machine_.step_seconds);
    r.receiving += latency(r, x.receives);
    for (std::size_t i = 0; i < x.receives.size(); ++i) {
      const Reshuffle::Parcel& p = x.receives[i];
      co_await work(r, overhead(p));
      post(r, {base + i, false}, p.peer, step, p.words);
    }
    for (std::size_t i = 0; i < x.sends.size(); ++i) {
      const Reshuffle::Parcel& p = x.sends[i];
      co_await work(r, copy_seconds(p.words) + overhead(p));
      post(r, {base + x.receives.size() + i, true}, p.peer, step, p.words);
    }
    Int kept = 0;
    for (const Reshuffle::Block& b : x.kept) kept += b.words();
    co_await work(r, copy_seconds(kept));
    for (std::size_t i = 0; i < x.receives.size(); ++i) {
      co_await complete(r, base + i);
      co_await work(r, copy_seconds(x.receives[i].words));
    }
    for (std::size_t i = 0; i < x.sends.size(); ++i) co_await complete(r, base + x.receives.size() + i);
  }

  // As runtime/deferred.hpp.
  void advance(Rank& r) {
    for (auto at = r.deferred.begin(); at != r.deferred.end();) {
      const Operation& op = **at;
      if (r.complete(op.wait)) {
        post(r, op);
        at = r.deferred.erase(at);
      } else {
        if (!std::get<Exchange>(op.what).ahead) return;
        ++at;
      }
    }
  }
  Until sent_on(Rank& r) {
    advance(r);
    return {*this, r, [&r] {
              return std::none_of(r.deferred.begin(), r.deferred.end(),
                                  [&](const Operation* op) { return r.has_its_data(*op); });
            }};
  }

  // --- messages

  void post(Rank& r, const Operation& op) {
    const auto& x = std::get<Exchange>(op.what);
    std::size_t request = x.first_request;
    r.receiving += latency(r, x.receives);
    for (const cairn::Message& m : x.receives) post(r, {request++, false}, m.peer, op.step, m.words);
    for (const cairn::Message& m : x.sends) post(r, {request++, true}, m.peer, op.step, m.words);
  }
  void post(Rank& r, Half mine, int peer, std::size_t step, Int words) {
    r.requests[mine.request] = Rank::Request::posted;
    const auto p = static_cast<std::size_t>(s_.ranks), me = static_cast<std::size_t>(r.number),
               other = static_cast<std::size_t>(peer);
    const std::size_t from = mine.sends ? me : other, to = mine.sends ? other : me;
    const std::size_t key = (step * p + from) * p + to;
    std::vector<Half>& alone = alone_[key];
    if (alone.empty() || alone.front().sends == mine.sends) return alone.push_back(mine);
    const Half theirs = alone.front();
    alone.erase(alone.begin());
    if (alone.empty()) alone_.erase(key);
    messages_.push_back({static_cast<Int>(from), static_cast<Int>(to), (mine.sends ? mine : theirs).request,
                         (mine.sends ? theirs : mine).request, step, words, now_});
    schedule(now_ + level(messages_.back().from, messages_.back().to).latency_seconds, nullptr, messages_.size() - 1);
  }
  void set_off(std::size_t message) {
    const Message& m = messages_[message];
    const double seconds = level(m.from, m.to).port_seconds(static_cast<double>(m.words) * bytes_);
    network_.start(now_, m.from, m.to, seconds);
    travelling_.push_back(message);
  }
  void arrive(std::size_t message) {
    const Message m = messages_[message];
    Rank &from = rank(m.from), &to = rank(m.to);
    to.receiving += level(m.from, m.to).port_seconds(static_cast<double>(m.words) * bytes_);
    if (watch_) watch_({Activity::Kind::receive, m.to, m.step, m.ready, now_, m.from});
    finish(from, m.send, -1);
    finish(to, m.receive, m.from);
  }
  void finish(Rank& r, std::size_t request, Int from) {
    r.requests[request] = Rank::Request::complete;
    if (!r.waits) return;
    advance(r);
    if (!r.until()) return;
    r.last_from = from;
    std::exchange(r.waits, nullptr).resume();
  }

  // --- seconds

  double copy_seconds(Int words) const { return static_cast<double>(words) * bytes_ * machine_.copy_seconds_per_byte; }
  double far_seconds(const Operation& op) const {
    return static_cast<double>(op.far) * bytes_ * shared_.read_seconds_per_byte;
  }
  double copy(const LocalUpdate& x) const {
    Int words = 0;
    for (const LocalUpdate::Pair& p : x.pairs) words += p.dst.rows * p.dst.cols;
    return copy_seconds(words);
  }
  double own_work(const Rank& r, const Exchange& x) const {
    double seconds = x.receives.empty() ? 0 : machine_.step_seconds;
    for (const auto* all : {&x.receives, &x.sends})
      for (const cairn::Message& m : *all) seconds += level(r.number, m.peer).overhead_seconds;
    return seconds;
  }
  double product(const LocalGemm& x) const {
    Int cold = 0;
    for (const LocalView* v : {&x.A, &x.B})
      if (v->storage >= 0 && s_[v->storage].kind == SlotInfo::Kind::input) cold += v->rows * v->cols;
    return machine_.gemm_seconds(x.C.rows, x.C.cols, x.A.cols, type_) +
           static_cast<double>(cold) * bytes_ * machine_.read_seconds_per_byte;
  }
  // Of messages that travel at once.
  template <class Messages>
  double latency(const Rank& r, const Messages& all) const {
    double longest = 0;
    for (const auto& m : all) longest = std::max(longest, level(r.number, m.peer).latency_seconds);
    return longest;
  }
  const Machine::Level& level(Int a, Int b) const { return machine_.between(a, b); }

  Rank& rank(Int r) { return ranks_[static_cast<std::size_t>(r)]; }
  void report(Activity::Kind kind, const Rank& r, double start, Int from) const {
    if (watch_ && now_ > start) watch_({kind, r.number, r.step(), start, now_, from == r.number ? -1 : from});
  }

  static Times times_of(const Rank& r) { return {r.end, r.receiving, r.computing, r.working, 0, r.number}; }

  const Schedule& s_;
  const Machine& machine_;
  Machine::Shared shared_;
  ScalarType type_;
  const Watch& watch_;
  double bytes_;
  std::vector<Rank> ranks_;
  Network network_;
  std::vector<Message> messages_;
  std::vector<std::size_t> travelling_;                       // by the network's number
  std::unordered_map<std::size_t, std::vector<Half>> alone_;  // posted at one end, by step, sender and receiver
  std::priority_queue<Event> events_;
  std::size_t order_ = 0;
  double now_ = 0;
};

}  // namespace

Timing replay(const Schedule& wire, const Machine& machine, ScalarType type, const Watch& watch) {
  std::vector<Program> programs;
  for (Int r = 0; r < wire.ranks; ++r) programs.push_back(compile(wire, r));
  return replay(wire, programs, machine, type, watch);
}

Timing replay(const Schedule& s, const std::vector<Program>& programs, const Machine& machine, ScalarType type,
              const Watch& watch) {
  return Replay(s, programs, machine, type, watch).run();
}

}  // namespace cairn
