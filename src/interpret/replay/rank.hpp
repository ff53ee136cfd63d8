// One simulated rank: follows its program as the executor does, and says what every operation takes.
#pragma once
#include <coroutine>
#include <optional>

#include "interpret/replay/world.hpp"
#include "program/follower.hpp"

namespace cairn {

class SimulatedRank {
 public:
  SimulatedRank(World& world, const Program& program, Int number);
  SimulatedRank(const SimulatedRank&) = delete;
  SimulatedRank& operator=(const SimulatedRank&) = delete;

  void start();
  bool done() const { return task_->done(); }
  /// Step that it is at.
  std::size_t step() const { return program_.operations[follower_.at()].step; }
  Times times() const { return {end_, receiving_, computing_, working_, 0, number_}; }
  /// A request is complete, by what came from a rank, or -1.
  void finish(std::size_t request, Int from);
  /// It would wait so long if it had nothing else to do.
  void receives(double seconds) { receiving_ += seconds; }

 private:
  friend class Follower<SimulatedRank>;
  friend class Deferred<SimulatedRank>;

  /// Its core is busy.
  struct Pause {
    World& world;
    double seconds;
    bool await_ready() const { return seconds <= 0; }
    void await_suspend(std::coroutine_handle<> h) const { world.at(world.now() + seconds, h); }
    void await_resume() const {}
  };
  /// All of these requests are complete, or else any of several ranges is that was not.
  struct Until {
    SimulatedRank& rank;
    Range all;
    const std::vector<Range>* any;
    double since = -1;
    bool await_ready() const { return !any && rank.complete(all); }
    void await_suspend(std::coroutine_handle<> h);
    void await_resume() const;
  };
  /// Another rank of the node has come so far.
  struct Reached {
    SimulatedRank &rank, &peer;
    Int phase;
    double since = -1;
    bool await_ready() const { return peer.phase_ >= phase; }
    void await_suspend(std::coroutine_handle<> h);
    void await_resume() const;
  };

  Task life();

  // --- what Follower asks for
  static bool prepares(const Operation&) { return true; }
  static bool does(const Operation&) { return true; }
  void prepared(const Operation&) const {}
  void done(const Operation&) const {}
  static bool sums(const SumExchange&, std::size_t) { return false; }
  Pause begin(const Operation& op);
  void post(const Exchange& x, std::size_t step);
  void reserve(std::size_t requests) { travels_.resize(std::max(requests, travels_.size()), 0); }
  Task receive(std::size_t request, Int place, Int words, int peer, std::size_t step);
  Task send(std::size_t request, Int place, Int words, int peer, std::size_t step);
  Task send(std::size_t request, const SumExchange& x, std::size_t i, std::size_t step);
  bool complete(Range requests) const;
  bool in_flight() const { return travelling_ > 0; }
  bool leaves_node(const Exchange& x) const;
  Until wait(Range requests) { return {*this, requests, nullptr}; }
  Until wait_any(const std::vector<Range>& ranges) { return {*this, {}, &ranges}; }
  void settle(Range) const {}
  Pause update(const LocalUpdate& x);
  Pause add(const SumExchange& x, Int) { return work(world_.copy_seconds(x.piece)); }
  Task multiply(const LocalGemm& x, Int lo, Int cols);
  Task triangle(const LocalTriangle& x);
  Pause pack(const Reshuffle&, const Reshuffle::Parcel& p, Int) { return work(world_.copy_seconds(p.words)); }
  Pause keep(const Reshuffle& x);
  Pause unpack(const Reshuffle&, const Reshuffle::Parcel& p, Int) { return work(world_.copy_seconds(p.words)); }
  Task meet(const Meet& x);

  /// Whether it goes on, now that this request is complete.
  bool ends_wait(std::size_t request) const;
  Pause work(double seconds);
  /// `last`: of its step.
  Task compute(double seconds, bool last);
  void post(World::End mine, int peer, std::size_t step, Int words);
  double overhead(int peer) const { return world_.level(number_, peer).overhead_seconds; }
  double latency(int peer) const { return world_.level(number_, peer).latency_seconds; }
  template <class Messages>
  double longest_latency(const Messages& together) const;
  double own_seconds(const Operation& op) const;
  double latencies(const Operation& op) const;
  double product_seconds(const LocalGemm& x) const;
  double far_seconds() const;
  void tell(Activity::Kind kind, double since, Int from) const;

  World& world_;
  const Program& program_;
  Int number_;
  Follower<SimulatedRank> follower_;
  std::vector<char> travels_;  ///< by request; those of sums and redistributions after the program's
  Int travelling_ = 0;
  std::coroutine_handle<> waits_ = nullptr;  ///< goes on once all of `until_` is complete, or one of `any_`
  Range until_;
  const std::vector<Range>* any_ = nullptr;
  Int last_from_ = -1;  ///< who sent what last completed a request
  Int phase_ = 0;       ///< of Meet: that it has reached
  struct Meeting {
    std::coroutine_handle<> waits;
    Int phase;
  };
  std::vector<Meeting> awaited_;  ///< who waits for it, and for what
  double computing_ = 0, working_ = 0, receiving_ = 0, end_ = 0;
  std::optional<Task> task_;
};

}  // namespace cairn
