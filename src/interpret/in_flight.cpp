#include "interpret/in_flight.hpp"

#include <algorithm>

namespace cairn {

InFlight::InFlight(const Clocked& c) : c_(c), reads_(c.s.slots.size()) {
  for (std::size_t t = 0; t < c.does.size(); ++t)
    for (Slot x : access(c.does[t]).reads)
      if (x >= 0) reads_[c.value(x)].push_back(t);
  for (std::size_t t = 0; t < c.does.size(); ++t)
    if (const Move* m = as_move(c.does[t]); m && m->from == Move::From::pieces)
      gathers_[next_read(c.value(m->dst), t)].push_back(t);
}

std::vector<std::size_t> InFlight::gathers(std::size_t step) const {
  const std::vector<std::size_t>& all = gathers_.at(next_read(c_.value(access(c_.does[step]).writes), step));
  return all.front() == step ? all : std::vector<std::size_t>();
}

std::size_t InFlight::last_read(std::size_t value) const {
  const std::vector<std::size_t>& reads = reads_[value];
  return reads.empty() ? 0 : reads.back();
}

std::size_t InFlight::next_read(std::size_t value, std::size_t step) const {
  const std::vector<std::size_t>& reads = reads_[value];
  const auto next = std::upper_bound(reads.begin(), reads.end(), step);
  return next == reads.end() ? 0 : *next;
}

std::vector<std::size_t> InFlight::overtaken(std::size_t step) {
  const std::size_t written = c_.value(access(c_.does[step]).writes);
  const std::size_t next = next_read(written, step);
  std::erase_if(posted_, [&](const Posted& x) { return x.last <= step; });
  std::vector<std::size_t> earlier;
  bool known = false;
  for (Posted& x : posted_) {
    if (x.next <= step) x.next = next_read(x.value, step);
    known |= x.value == written;
    if (x.value != written && x.next < next) earlier.push_back(x.value);
  }
  if (!known) posted_.push_back({written, next, last_read(written)});
  return earlier;
}

}  // namespace cairn
