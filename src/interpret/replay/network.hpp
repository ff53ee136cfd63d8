// Messages on their way among ports: what a port carries at a time shares its rate evenly, in both directions alike.
#pragma once
#include <queue>
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
    Int from, to;
    double left;           ///< seconds that it still needs alone, at `since`
    double rate = 0;       ///< share of the ports
    double since = 0;      ///< of `rate`
    std::size_t turn = 0;  ///< how often `rate` has changed
  };
  struct End {
    double time;
    std::size_t message, turn;
    bool operator>(const End& o) const { return time != o.time ? time > o.time : message > o.message; }
  };
  using Port = std::vector<std::size_t>;  ///< the messages that it carries

  Port& port(std::vector<Port>& ports, Int rank) { return ports[static_cast<std::size_t>(rank)]; }
  void share(double now, Int from, Int to);
  void update(double now, std::size_t message);
  void drop_outdated();

  std::vector<Message> messages_;
  std::vector<Port> sending_, receiving_;  ///< by rank
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
};

}  // namespace cairn
