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

// Of what two ranks have in common, what is not in the patch.
std::vector<Transfer::Region> without(const std::vector<Transfer::Region>& regions, const Patch& patch) {
  std::vector<Transfer::Region> rest;
  const auto keep = [&](const Transfer::Region& of, IndexSet rows, IndexSet cols) {
    if (!rows.empty() && !cols.empty()) rest.push_back({std::move(rows), std::move(cols), of.src_patch, of.dst_patch});
  };
  for (const Transfer::Region& r : regions) {
    keep(r, r.rows.without(patch.rows), r.cols);
    keep(r, r.rows.intersect(patch.rows), r.cols.without(patch.cols));
  }
  return rest;
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

// Whom each element of a source comes from, also where ranks share some of their elements and not others.
class Source {
 public:
  explicit Source(const Layout& l) : layout_(l), overlapping_(l.overlapping()) {
    for (Int r = 0; overlapping_ && r < l.grid.ranks(); ++r) held_.push_back(l.patches(r));
  }
  bool serves(Int from, Int to) const { return overlapping_ || cairn::serves(layout_, from, to); }
  /// Drops what `to` has itself, or gets from a rank before `from`.
  void drop_copies(Transfer& t, Int from, Int to) const {
    if (!overlapping_ || from == to) return;
    const auto drop = [&](Int rank) {
      if (rank < static_cast<Int>(held_.size()))
        for (const Patch& p : held_[static_cast<std::size_t>(rank)]) t.regions = without(t.regions, p);
    };
    drop(to);
    for (Int before = 0; before < from && !t.regions.empty(); ++before) drop(before);
  }

 private:
  const Layout& layout_;
  const bool overlapping_;
  std::vector<std::vector<Patch>> held_;  // by rank, if ranks share elements
};

}  // namespace

Int in_common(const std::vector<Patch>& a, const std::vector<Patch>& b) { return meet(a, b, 0).words(); }

Transfer transfer(const Layout& src, const Layout& dst, Int from, Int to) {
  if (from != to && !serves(src, from, to) && !src.overlapping()) return {to, {}};
  Transfer t = meet(src.patches(from), dst.patches(to), to);
  if (from != to && src.overlapping()) Source(src).drop_copies(t, from, to);
  return t;
}

std::vector<Transfer> outgoing(const Layout& src, const Layout& dst, Int rank, Int ranks) {
  std::vector<Transfer> all;
  const Source source(src);
  const std::vector<Patch> held = src.patches(rank);
  for (Int to = 0; to < ranks && !held.empty(); ++to) {
    if (to == rank || !source.serves(rank, to)) continue;
    Transfer t = meet(held, dst.patches(to), to);
    source.drop_copies(t, rank, to);
    if (!t.regions.empty()) all.push_back(std::move(t));
  }
  return all;
}

std::vector<Transfer> incoming(const Layout& src, const Layout& dst, Int rank, Int ranks) {
  std::vector<Transfer> all;
  const Source source(src);
  const std::vector<Patch> wanted = dst.patches(rank);
  for (Int from = 0; from < ranks && !wanted.empty(); ++from) {
    if (from == rank || !source.serves(from, rank)) continue;
    Transfer t = meet(src.patches(from), wanted, from);
    source.drop_copies(t, from, rank);
    if (!t.regions.empty()) all.push_back(std::move(t));
  }
  return all;
}

}  // namespace cairn
