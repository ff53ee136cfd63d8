#include "interpret/redistribution.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"
#include "schedule/moved_words.hpp"
#include "schedule/step_transfers.hpp"

namespace cairn {

namespace {

constexpr Int most_exact_ranks = 128;      // beyond, what is sent and the number of messages are estimated
constexpr Int most_redistributing = 4096;  // ranks that are looked at

Moved estimated(const Schedule& s, const Redistribute& x, Int rank) {
  const Layout &src = s.layout(x.src), &dst = s.layout(x.dst);
  const auto words = [&, shape = stairs(s, x).shape](const Layout& from, const Layout& to) {
    Int sum = 0;
    for (const Transfer::Region& r : transfer(from, to, rank, rank).regions) sum += counted(shape, r.rows, r.cols);
    return sum;
  };
  Moved m;
  m.kept = words(src, dst);
  m.received = words(dst, dst) - m.kept;
  m.sent = src.grid.has(rank) && src.original(rank) == rank ? words(src, src) - m.kept : 0;
  m.receives = std::min(s.ranks - 1, m.received);
  m.sends = std::min(s.ranks - 1, m.sent);
  return m;
}

double seconds(const Moved& m, const Machine::Level& level, const Machine& machine, double bytes) {
  const auto passing = [&](Int words, Int messages) {
    const auto n = static_cast<double>(messages);
    return words == 0 ? 0 : n * level.port_seconds(static_cast<double>(words) * bytes / n);
  };
  const double overheads = static_cast<double>(m.receives + m.sends) * level.overhead_seconds;
  const double copied = static_cast<double>(m.received + m.sent + m.kept) * bytes * machine.copy_seconds_per_byte;
  return (m.received > 0 ? level.latency_seconds : 0) +
         std::max(passing(m.received, m.receives), passing(m.sent, m.sends)) + overheads + copied;
}

}  // namespace

double redistribution_seconds(const Schedule& s, const Redistribute& x, const Machine& machine, ScalarType type) {
  const Int ranks = s.ranks;
  const Machine::Level& level = machine.levels[machine.level_of(ranks)];
  double longest = 0;
  const auto consider = [&](const Moved& m) {
    longest = std::max(longest, seconds(m, level, machine, static_cast<double>(size_of(type))));
  };
  if (ranks <= most_exact_ranks || s[x.src].sizes) {
    for (const Moved& m : all_moved(s, x)) consider(m);
    return longest;
  }
  const Int every = ceil_div(ranks, most_redistributing);
  for (Int r = 0; r < ranks; r += every) consider(estimated(s, x, r));
  return longest;
}

}  // namespace cairn
