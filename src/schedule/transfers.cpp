#include "schedule/transfers.hpp"

#include <algorithm>
#include <map>

namespace cairn {

// From the right (lower), or from the left, the steps get longer.
Int Stairs::words(std::span<const Int> rows, std::span<const Int> cols) const {
  Int sum = 0, beside = 0;
  for (std::size_t t = 0; t < cols.size(); ++t) {
    const std::size_t strip = shape == Uplo::lower ? cols.size() - 1 - t : t;
    beside += rows[strip];
    sum += beside * cols[strip];
  }
  return sum;
}

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

// Patches of arbitrary blocks by place: block rows are apart from each other, and so are the blocks of a row. A single
// patch may be anything.
class PatchesByPlace {
 public:
  explicit PatchesByPlace(const std::vector<Patch>& patches) : patches_(patches) {
    for (std::size_t i = 0; i < patches.size() && patches.size() > 1; ++i)
      if (patches[i].words() > 0) rows_[first(patches[i].rows)].emplace(first(patches[i].cols), i);
  }
  /// Numbers of those that may have elements in common with another patch, ascending.
  const std::vector<std::size_t>& near(const Patch& other) {
    near_.clear();
    if (patches_.size() == 1) near_.push_back(0);
    for_each_near(rows_, other.rows,
                  [&](const auto& row) { for_each_near(row, other.cols, [&](std::size_t i) { near_.push_back(i); }); });
    std::sort(near_.begin(), near_.end());
    near_.erase(std::unique(near_.begin(), near_.end()), near_.end());
    return near_;
  }

 private:
  static Int first(const IndexSet& x) { return x.pieces().front().lo; }
  // Of things by where they begin, those that any piece of x may meet.
  template <class Map, class F>
  static void for_each_near(const Map& map, const IndexSet& x, F f) {
    for (Range piece : x.pieces()) {
      auto at = map.upper_bound(piece.lo);
      if (at != map.begin()) --at;
      for (; at != map.end() && at->first < piece.hi; ++at) f(at->second);
    }
  }

  const std::vector<Patch>& patches_;
  std::map<Int, std::map<Int, std::size_t>> rows_;
  std::vector<std::size_t> near_;
};

Transfer meet(const std::vector<Patch>& held, const std::vector<Patch>& wanted, Int peer) {
  Transfer t{peer, {}};
  PatchesByPlace places(held);
  for (std::size_t d = 0; d < wanted.size(); ++d)
    for (std::size_t s : places.near(wanted[d])) {
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

// Cuts what travels to the stairs.
void cut(Transfer& t, Stairs stairs) {
  if (stairs.shape == Uplo::full) return;
  std::vector<Transfer::Region> strips;
  for (const Transfer::Region& r : t.regions)
    stairs.for_each([&](Range rows, Range cols) {
      Transfer::Region strip{{}, r.cols.intersect(cols), r.src_patch, r.dst_patch};
      if (strip.cols.empty()) return;
      strip.rows = r.rows.intersect(rows);
      if (!strip.rows.empty()) strips.push_back(std::move(strip));
    });
  t.regions = std::move(strips);
}

// Between a rank and each other one; between(other) is what the one holds and the other is to hold.
template <class Between>
std::vector<Transfer> with_others(const Layout& src, Int rank, Int ranks, bool sends, Stairs stairs, Between between) {
  std::vector<Transfer> all;
  const Source source(src);
  for (Int other = 0; other < ranks; ++other) {
    const Int from = sends ? rank : other, to = sends ? other : rank;
    if (from == to || !source.serves(from, to)) continue;
    Transfer t = between(other);
    source.drop_copies(t, from, to);
    cut(t, stairs);
    if (!t.regions.empty()) all.push_back(std::move(t));
  }
  return all;
}

}  // namespace

Int in_common(const std::vector<Patch>& a, const std::vector<Patch>& b) { return meet(a, b, 0).words(); }

Transfer transfer(const Layout& src, const Layout& dst, Int from, Int to, Stairs stairs) {
  if (from != to && !serves(src, from, to) && !src.overlapping()) return {to, {}};
  Transfer t = meet(src.patches(from), dst.patches(to), to);
  if (from != to && src.overlapping()) Source(src).drop_copies(t, from, to);
  cut(t, stairs);
  return t;
}

std::vector<Transfer> outgoing(const Layout& src, const Layout& dst, Int rank, Int ranks, Stairs stairs) {
  const std::vector<Patch> held = src.patches(rank);
  if (held.empty()) return {};
  return with_others(src, rank, ranks, true, stairs, [&](Int to) { return meet(held, dst.patches(to), to); });
}

std::vector<Transfer> incoming(const Layout& src, const Layout& dst, Int rank, Int ranks, Stairs stairs) {
  const std::vector<Patch> wanted = dst.patches(rank);
  if (wanted.empty()) return {};
  return with_others(src, rank, ranks, false, stairs, [&](Int from) { return meet(src.patches(from), wanted, from); });
}

}  // namespace cairn
