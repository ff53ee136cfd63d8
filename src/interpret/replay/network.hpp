// Messages on their way among ports: what a port carries at a time shares its rate evenly, in both directions alike.
#pragma once
#include <queue>
#include <unordered_map>
#include <vector>

#include "cairn/types.hpp"

namespace cairn {

class Network {
 public:
  explicit Network(Int ranks) : sending_(static_cast<std::size_t>(ranks)), receiving_(sending_) {}

  /// From `now` on, not earlier than any event before, a message keeps its sender's port and its receiver's; alone it
  /// would do so for `seconds`. Returns its number.
  std::size_t start(double now, Int from, Int to, double seconds);
  /// When the next message is through, infinity if none is on its way.
  double next();
  /// That message's number; it leaves the ports.
  std::size_t finish();

 private:
  struct Message {
    double through;  ///< `carried` of its lane when it is
    std::size_t number;
    bool operator>(const Message& o) const { return through != o.through ? through > o.through : number > o.number; }
  };
  /// All messages from one rank to another, which get the same share of the ports at any time.
  struct Lane {
    Int from, to;
    double carried = 0;    ///< seconds of each message that was there all the time, until `since`
    double rate = 0;       ///< share of the ports that each message has
    double since = 0;      ///< of `rate`
    std::size_t turn = 0;  ///< how often `rate` has changed
    std::priority_queue<Message, std::vector<Message>, std::greater<>> messages{};
  };
  struct End {
    double time;
    std::size_t message, lane, turn;
    bool operator>(const End& o) const { return time != o.time ? time > o.time : message > o.message; }
  };
  struct Port {
    std::size_t messages = 0;          ///< that it carries
    std::vector<std::size_t> lanes{};  ///< on which these are
  };

  Port& port(std::vector<Port>& ports, Int rank) { return ports[static_cast<std::size_t>(rank)]; }
  std::size_t lane(Int from, Int to);  ///< its number
  void share(double now, const Lane& changed);
  void update(double now, std::size_t number);
  void drop_outdated();

  std::size_t started_ = 0;
  std::unordered_map<std::size_t, std::size_t> numbers_;  // of lanes, by sender and receiver
  std::vector<Lane> lanes_;
  std::vector<Port> sending_, receiving_;  // by rank
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
};

}  // namespace cairn
