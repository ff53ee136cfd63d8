#include "interpret/replay/world.hpp"

#include <limits>

#include "interpret/replay/rank.hpp"

namespace cairn {

void World::run() {
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
      return;
    }
  }
}

void World::post(End mine, int peer, std::size_t step, Int words) {
  const auto p = static_cast<std::size_t>(s_.ranks), me = static_cast<std::size_t>(mine.rank),
             other = static_cast<std::size_t>(peer);
  const std::size_t key = mine.sends ? (step * p + me) * p + other : (step * p + other) * p + me;
  std::vector<End>& alone = alone_[key];
  if (alone.empty() || alone.front().sends == mine.sends) return alone.push_back(mine);
  const End theirs = alone.front();
  alone.erase(alone.begin());
  if (alone.empty()) alone_.erase(key);
  const Machine::Level& between = level(mine.rank, peer);
  const double seconds = between.port_seconds(bytes(words));
  messages_.push_back({mine.sends ? mine : theirs, mine.sends ? theirs : mine, step, words, now_, seconds});
  events_.push({now_ + between.latency_seconds, order_++, nullptr, messages_.size() - 1});
}

void World::set_off(std::size_t message) {
  const Message& m = messages_[message];
  network_.start(now_, m.from.rank, m.to.rank, m.port_seconds);
  travelling_.push_back(message);
}

void World::arrive(std::size_t message) {
  const Message m = messages_[message];
  if (watch_) watch_({Activity::Kind::receive, m.to.rank, m.step, m.ready, now_, m.from.rank});
  SimulatedRank &from = *ranks[static_cast<std::size_t>(m.from.rank)],
                &to = *ranks[static_cast<std::size_t>(m.to.rank)];
  to.receives(m.port_seconds);
  from.finish(m.from.request, -1);
  to.finish(m.to.request, m.from.rank);
}

}  // namespace cairn
