#include "interpret/replay/network.hpp"

#include <algorithm>
#include <limits>

namespace cairn {

std::size_t Network::lane(Int from, Int to) {
  const auto key = static_cast<std::size_t>(from) * sending_.size() + static_cast<std::size_t>(to);
  const auto [at, fresh] = numbers_.try_emplace(key, lanes_.size());
  if (fresh) lanes_.push_back({from, to});
  return at->second;
}

std::size_t Network::start(double now, Int from, Int to, double seconds) {
  const std::size_t taken = lane(from, to);
  Lane& l = lanes_[taken];
  if (l.messages.empty()) l.carried = 0, l.rate = 0, l.since = now;
  for (Port* p : {&port(sending_, from), &port(receiving_, to)}) {
    if (l.messages.empty()) p->lanes.push_back(taken);
    ++p->messages;
  }
  l.messages.push({l.carried + l.rate * (now - l.since) + seconds, started_});
  share(now, l);
  return started_++;
}

double Network::next() {
  drop_outdated();
  return ends_.empty() ? std::numeric_limits<double>::infinity() : ends_.top().time;
}

std::size_t Network::finish() {
  drop_outdated();
  const End end = ends_.top();
  ends_.pop();
  Lane& l = lanes_[end.lane];
  l.messages.pop();
  ++l.turn;
  for (Port* p : {&port(sending_, l.from), &port(receiving_, l.to)}) {
    if (l.messages.empty()) std::erase(p->lanes, end.lane);
    --p->messages;
  }
  share(end.time, l);
  return end.message;
}

// The rates of all that the ports of a lane carry, of which there is one more, or less: its own rate changes.
void Network::share(double now, const Lane& changed) {
  for (std::size_t l : port(sending_, changed.from).lanes) update(now, l);
  for (std::size_t l : port(receiving_, changed.to).lanes) update(now, l);
}

void Network::update(double now, std::size_t number) {
  Lane& l = lanes_[number];
  const std::size_t most = std::max(port(sending_, l.from).messages, port(receiving_, l.to).messages);
  const double rate = 1 / static_cast<double>(most);
  if (rate == l.rate) return;
  l.carried += l.rate * (now - l.since);
  l.rate = rate, l.since = now;
  const Message& first = l.messages.top();
  ends_.push({now + std::max(0.0, first.through - l.carried) / rate, first.number, number, ++l.turn});
}

void Network::drop_outdated() {
  while (!ends_.empty() && ends_.top().turn != lanes_[ends_.top().lane].turn) ends_.pop();
}

}  // namespace cairn
