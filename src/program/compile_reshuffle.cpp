#include <numeric>

#include "program/compile.hpp"
#include "schedule/step_transfers.hpp"

namespace cairn {

Int Reshuffle::Block::words() const {
  const auto sum = [](const std::vector<Match>& all) {
    return std::accumulate(all.begin(), all.end(), Int{0}, [](Int n, const Match& m) { return n + m.length; });
  };
  return sum(rows) * sum(cols);
}

namespace {

using Strides = Reshuffle::Block::Side;

// The patches that a rank holds of a layout, one after another in its array.
class Patches {
 public:
  Patches(const Layout& l, Int rank, Int leading)
      : order_(l.order), leading_(l.blocks ? 0 : leading), all_(l.patches(rank)) {
    bases_.push_back(0);
    for (const Patch& p : all_) bases_.push_back(bases_.back() + p.words());
  }
  const Patch& operator[](std::size_t patch) const { return all_[patch]; }
  Strides side(std::size_t patch) const {
    const Patch& p = all_[patch];
    const bool col = order_ == Order::col;
    const Int ld = leading_ > 0 ? leading_ : std::max<Int>(1, (col ? p.rows : p.cols).size());
    return col ? Strides{bases_[patch], 1, ld} : Strides{bases_[patch], ld, 1};
  }

 private:
  Order order_;
  Int leading_;
  std::vector<Patch> all_;
  std::vector<Int> bases_;
};

// Messages carry regions one after another, each dense in the order of the destination.
Strides in_message(const Transfer::Region& r, Order order, Int base) {
  return order == Order::col ? Strides{base, 1, r.rows.size()} : Strides{base, r.cols.size(), 1};
}

// Everybody begins with the next rank: not all with the same one.
template <class Distance>
void in_turn(std::vector<Reshuffle::Parcel>& parcels, Distance distance) {
  std::sort(parcels.begin(), parcels.end(), [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
}

}  // namespace

Reshuffle reshuffle(const Schedule& s, const Redistribute& x, Int rank, const std::vector<Int>& leading, Int buffer) {
  const Layout &src = s.layout(x.src), &dst = s.layout(x.dst);
  const Patches held(src, rank, leading[static_cast<std::size_t>(x.src)]),
      wanted(dst, rank, leading[static_cast<std::size_t>(x.dst)]);
  Reshuffle shuffle{x.src, x.dst, {}, {}, {}, buffer, x.conjugate, x.scaled, x.update};
  for (const Transfer::Region& r : kept(s, x, rank).regions) {
    const Patch &to = wanted[r.dst_patch], &from = held[r.src_patch];
    shuffle.kept.push_back({matches(to.rows, from.rows, r.rows), matches(to.cols, from.cols, r.cols),
                            wanted.side(r.dst_patch), held.side(r.src_patch)});
  }
  // An empty one is not sent.
  const auto add = [&](std::vector<Reshuffle::Parcel>& parcels, const Transfer& t, const auto& block) {
    Reshuffle::Parcel p{static_cast<int>(t.peer), 0, {}};
    for (const Transfer::Region& r : t.regions) {
      p.blocks.push_back(block(r, in_message(r, dst.order, p.words)));
      p.words += s.words(x.src, r.rows, r.cols);
    }
    if (p.words > 0) parcels.push_back(std::move(p));
  };
  for (const Transfer& t : incoming(s, x, rank))
    add(shuffle.receives, t, [&](const Transfer::Region& r, Strides message) -> Reshuffle::Block {
      const Patch& to = wanted[r.dst_patch];
      return {matches(to.rows, r.rows, r.rows), matches(to.cols, r.cols, r.cols), wanted.side(r.dst_patch), message};
    });
  for (const Transfer& t : outgoing(s, x, rank))
    add(shuffle.sends, t, [&](const Transfer::Region& r, Strides message) -> Reshuffle::Block {
      const Patch& from = held[r.src_patch];
      return {matches(r.rows, from.rows, r.rows), matches(r.cols, from.cols, r.cols), message, held.side(r.src_patch)};
    });
  in_turn(shuffle.receives, [&](const Reshuffle::Parcel& p) { return wrap(rank - p.peer, s.ranks); });
  in_turn(shuffle.sends, [&](const Reshuffle::Parcel& p) { return wrap(p.peer - rank, s.ranks); });
  return shuffle;
}

void Compiler::lower(const Redistribute& x) {
  push(reshuffle(s_, x, rank_, leading_, program_.placement.scratch[step_]), {x.src}, x.dst);
}

}  // namespace cairn
