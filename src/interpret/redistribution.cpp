#include "interpret/redistribution.hpp"

#include <algorithm>

#include "schedule/transfers.hpp"

namespace cairn {

namespace {

constexpr Int most_exact_peers = 128;      // beyond, the number of messages is estimated
constexpr Int most_redistributing = 4096;  // ranks that are looked at

}  // namespace

double redistribution_seconds(const Schedule& s, const Redistribute& x, Int rank, const Machine& machine,
                              ScalarType type) {
  const Layout &src = s.layout(x.src), &dst = s.layout(x.dst);
  const Int words = dst.words(rank) - transfer(src, dst, rank, rank).words();
  if (words == 0) return 0;
  Int messages = std::min(s.ranks - 1, words);
  if (s.ranks <= most_exact_peers) messages = static_cast<Int>(incoming(src, dst, rank, s.ranks).size());
  const Machine::Level& l = machine.levels[machine.level_of(s.ranks)];
  const auto n = static_cast<double>(messages), bytes = static_cast<double>(words * size_of(type));
  return l.latency_seconds + n * (l.port_seconds(bytes / n) + 2 * l.overhead_seconds);
}

double redistribution_seconds(const Schedule& s, const Redistribute& x, const Machine& machine, ScalarType type) {
  const Int every = (s.ranks + most_redistributing - 1) / most_redistributing;
  double longest = 0;
  for (Int r = 0; r < s.ranks; r += every) longest = std::max(longest, redistribution_seconds(s, x, r, machine, type));
  return longest;
}

}  // namespace cairn
