// What simulated ranks have in common: the machine, the time, and the messages on their way.
#pragma once
#include <coroutine>
#include <queue>
#include <unordered_map>
#include <vector>

#include "interpret/clock.hpp"
#include "interpret/replay/network.hpp"

namespace cairn {

class SimulatedRank;

class World {
 public:
  World(const Schedule& s, const Machine& machine, ScalarType type, const Watch& watch)
      : s_(s), machine_(machine), type_(type), watch_(watch), network_(s.ranks) {}

  std::vector<SimulatedRank*> ranks;  ///< by number

  /// Until nothing happens any more.
  void run();
  double now() const { return now_; }
  /// A rank goes on at that time.
  void at(double time, std::coroutine_handle<> resume) { events_.push({time, order_++, resume, 0}); }
  /// One end of a message; it sets off once the other end has posted it, too.
  struct End {
    Int rank;
    std::size_t request;
    bool sends;
  };
  void post(End mine, int peer, std::size_t step, Int words);

  const Schedule& schedule() const { return s_; }
  const Machine& machine() const { return machine_; }
  ScalarType type() const { return type_; }
  double bytes(Int words) const { return static_cast<double>(words) * static_cast<double>(size_of(type_)); }
  double copy_seconds(Int words) const { return bytes(words) * machine_.copy_seconds_per_byte; }
  const Machine::Level& level(Int a, Int b) const { return machine_.between(a, b); }
  void tell(const Activity& a) const {
    if (watch_ && a.end > a.start) watch_(a);
  }

 private:
  struct Message {
    End from, to;
    std::size_t step;
    Int words;
    double ready;
    double port_seconds;
  };
  struct Event {
    double time;
    std::size_t order;  // of equal times
    std::coroutine_handle<> resume;
    std::size_t message;
    bool operator<(const Event& o) const { return time != o.time ? time > o.time : order > o.order; }
  };
  void set_off(std::size_t message);
  void arrive(std::size_t message);

  const Schedule& s_;
  const Machine& machine_;
  ScalarType type_;
  const Watch& watch_;
  Network network_;
  std::vector<Message> messages_;
  std::vector<std::size_t> travelling_;                      // by the network's number
  std::unordered_map<std::size_t, std::vector<End>> alone_;  // posted at one end, by step, sender and receiver
  std::priority_queue<Event> events_;
  std::size_t order_ = 0;
  double now_ = 0;
};

}  // namespace cairn
