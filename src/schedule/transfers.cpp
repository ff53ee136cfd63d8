#include "schedule/transfers.hpp"

namespace cairn {

Int Transfer::words() const {
  Int sum = 0;
  for (const Region& r : regions) sum += r.words();
  return sum;
}

namespace {

// The source serves an element from one copy only: the receiver's own if it has one, else the first copy.
bool serves(const Layout& src, Int from, Int to) {
  if (from == to) return true;
  if (!src.grid.has(from) || src.original(from) != from) return false;
  return !src.grid.has(to) || src.original(to) != from;
}

Transfer meet(const std::vector<Patch>& held, const std::vector<Patch>& wanted, Int peer) {
  Transfer t{peer, {}};
  for (std::size_t d = 0; d < wanted.size(); ++d)
    for (std::size_t s = 0; s < held.size(); ++s) {
      Transfer::Region r{wanted[d].rows.intersect(held[s].rows), {}, s, d};
      if (r.rows.empty()) continue;
      r.cols = wanted[d].cols.intersect(held[s].cols);
      if (!r.cols.empty()) t.regions.push_back(std::move(r));
    }
  return t;
}

}  // namespace

Int in_common(const std::vector<Patch>& a, const std::vector<Patch>& b) { return meet(a, b, 0).words(); }

Transfer transfer(const Layout& src, const Layout& dst, Int from, Int to) {
  if (!serves(src, from, to)) return {to, {}};
  return meet(src.patches(from), dst.patches(to), to);
}

std::vector<Transfer> outgoing(const Layout& src, const Layout& dst, Int rank, Int ranks) {
  std::vector<Transfer> all;
  const std::vector<Patch> held = src.patches(rank);
  for (Int to = 0; to < ranks && !held.empty(); ++to) {
    if (to == rank || !serves(src, rank, to)) continue;
    Transfer t = meet(held, dst.patches(to), to);
    if (!t.regions.empty()) all.push_back(std::move(t));
  }
  return all;
}

std::vector<Transfer> incoming(const Layout& src, const Layout& dst, Int rank, Int ranks) {
  std::vector<Transfer> all;
  const std::vector<Patch> wanted = dst.patches(rank);
  for (Int from = 0; from < ranks && !wanted.empty(); ++from) {
    if (from == rank || !serves(src, from, rank)) continue;
    Transfer t = meet(src.patches(from), wanted, from);
    if (!t.regions.empty()) all.push_back(std::move(t));
  }
  return all;
}

}  // namespace cairn
