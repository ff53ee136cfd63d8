#include "interpret/replay/network.hpp"

#include <algorithm>
#include <limits>

namespace cairn {

std::size_t Network::start(double now, Int from, Int to, double seconds) {
  const std::size_t message = messages_.size();
  messages_.push_back({from, to, seconds});
  messages_.back().since = now;
  port(sending_, from).push_back(message);
  port(receiving_, to).push_back(message);
  share(now, from, to);
  return message;
}

double Network::next() {
  drop_outdated();
  return ends_.empty() ? std::numeric_limits<double>::infinity() : ends_.top().time;
}

std::size_t Network::finish() {
  drop_outdated();
  const End end = ends_.top();
  ends_.pop();
  Message& m = messages_[end.message];
  ++m.turn;
  std::erase(port(sending_, m.from), end.message);
  std::erase(port(receiving_, m.to), end.message);
  share(end.time, m.from, m.to);
  return end.message;
}

// The rates of all that these two ports carry.
void Network::share(double now, Int from, Int to) {
  for (std::size_t m : port(sending_, from)) update(now, m);
  for (std::size_t m : port(receiving_, to)) update(now, m);
}

void Network::update(double now, std::size_t message) {
  Message& m = messages_[message];
  const std::size_t most = std::max(port(sending_, m.from).size(), port(receiving_, m.to).size());
  const double rate = 1 / static_cast<double>(most);
  if (rate == m.rate) return;
  m.left -= m.rate * (now - m.since);
  m.rate = rate, m.since = now;
  ends_.push({now + std::max(0.0, m.left) / rate, message, ++m.turn});
}

void Network::drop_outdated() {
  while (!ends_.empty() && ends_.top().turn != messages_[ends_.top().message].turn) ends_.pop();
}

}  // namespace cairn
